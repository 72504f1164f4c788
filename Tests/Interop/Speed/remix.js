// @remix-run/multipart-parser, timed over the messages of a file.
//
//     node remix.js FILE BOUNDARY MESSAGE_BYTES RUNS
//
// Prints one JSON object: the parts of a run with the bytes of their content, and the time of each run in nanoseconds.
// The first run is not timed.
'use strict';

const fs = require('fs');
const { pathToFileURL } = require('url');

const [path, boundary, messageBytes, runs] = process.argv.slice(2);
const messageLength = Number(messageBytes);
const data = fs.readFileSync(path);
const chunkSize = 64 * 1024;
const unlimited = { maxFileSize: Infinity, maxParts: Infinity, maxTotalSize: Infinity };

const messages = [];
for (let start = 0; start < data.length; start += messageLength) {
    const chunks = [];
    const end = start + messageLength;
    for (let at = start; at < end; at += chunkSize) chunks.push(data.subarray(at, Math.min(at + chunkSize, end)));
    messages.push(chunks);
}

// Sums up the names' lengths, so that the optimiser keeps reading them.
let textBytes = 0;

function parseAll(parseMultipart) {
    const seen = { parts: 0, content: 0 };
    for (const chunks of messages) {
        // A part is yielded when it is complete, with its content as slices of the chunks.
        for (const part of parseMultipart(chunks, { boundary, ...unlimited })) {
            seen.parts += 1;
            seen.content += part.size;
            textBytes += part.name.length + (part.filename || '').length + (part.mediaType || '').length;
        }
    }
    return seen;
}

(async () => {
    // A module without a form for `require`, which alone looks into NODE_PATH.
    const file = require.resolve('@remix-run/multipart-parser');
    const { parseMultipart } = await import(pathToFileURL(file));
    let seen = parseAll(parseMultipart);
    const ns = [];
    for (let run = 0; run < Number(runs); run += 1) {
        const start = process.hrtime.bigint();
        seen = parseAll(parseMultipart);
        ns.push(Number(process.hrtime.bigint() - start));
    }
    console.log(JSON.stringify({ ...seen, ns }));
})();
