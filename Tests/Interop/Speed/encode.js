// Node's own FormData, as the body of a Response, timed at writing forms.
//
//     node encode.js encode-fields | encode-data RUNS
//
// Prints one JSON object: the time of each run in nanoseconds. The first run is not timed.
'use strict';

const [what, runs] = process.argv.slice(2);

const fields = Array.from({ length: 100000 }, (_, index) => [`field${100000 + index}`, `value ${index}`]);

// A form of small fields.
async function encodeFields() {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    return new Response(form).arrayBuffer();
}

const content = Buffer.alloc(64 * 1024 * 1024);
for (let index = 0; index < content.length; index += 1) content[index] = (index * 31) >> 3;
const file = new File([content], 'content.bin');

// 64 MiB that a File already holds.
async function encodeData() {
    const form = new FormData();
    form.append('file', file);
    return new Response(form).arrayBuffer();
}

(async () => {
    const encode = what === 'encode-fields' ? encodeFields : encodeData;
    let length = (await encode()).byteLength;
    const ns = [];
    for (let run = 0; run < Number(runs); run += 1) {
        const start = process.hrtime.bigint();
        length = (await encode()).byteLength;
        ns.push(Number(process.hrtime.bigint() - start));
    }
    console.log(JSON.stringify({ bytes: length, ns }));
})();
