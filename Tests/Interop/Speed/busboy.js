// busboy, timed over the messages of a file.
//
//     node busboy.js FILE BOUNDARY MESSAGE_BYTES RUNS
//
// Prints one JSON object: the parts of a run, and the time of each run in nanoseconds. The first run is not timed.
'use strict';

const { once } = require('events');
const fs = require('fs');
const busboy = require('busboy');

const [path, boundary, messageBytes, runs] = process.argv.slice(2);
const messageLength = Number(messageBytes);
const data = fs.readFileSync(path);
const chunkSize = 64 * 1024;

const messages = [];
for (let start = 0; start < data.length; start += messageLength) {
    const chunks = [];
    const end = start + messageLength;
    for (let at = start; at < end; at += chunkSize) chunks.push(data.subarray(at, Math.min(at + chunkSize, end)));
    messages.push(chunks);
}

// Sums up the names' lengths, so that the optimiser keeps reading them.
let textBytes = 0;

async function parse(chunks) {
    let parts = 0;
    const parser = busboy({
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        limits: { fields: Infinity, files: Infinity, parts: Infinity },
    });
    parser.on('file', (name, stream, info) => {
        parts += 1;
        textBytes += name.length + (info.filename || '').length + info.mimeType.length;
        stream.on('data', () => {});
    });
    parser.on('field', (name, value, info) => {
        parts += 1;
        textBytes += name.length + value.length + info.mimeType.length;
    });
    const closed = once(parser, 'close');
    for (const chunk of chunks) {
        if (!parser.write(chunk)) await once(parser, 'drain');
    }
    parser.end();
    await closed;
    return parts;
}

async function parseAll() {
    let parts = 0;
    for (const chunks of messages) parts += await parse(chunks);
    return parts;
}

(async () => {
    let parts = await parseAll();
    const ns = [];
    for (let run = 0; run < Number(runs); run += 1) {
        const start = process.hrtime.bigint();
        parts = await parseAll();
        ns.push(Number(process.hrtime.bigint() - start));
    }
    console.log(JSON.stringify({ parts, ns }));
})();
