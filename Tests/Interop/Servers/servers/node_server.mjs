// Reads forms with undici's formData, with busboy or with formidable. Usage: node node_server.mjs PARSER PORT
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";

// Unlike import, require looks where NODE_PATH points.
const require = createRequire(import.meta.url);
const [parser, port] = process.argv.slice(2);

const part = (name, content, filename = null, type = null) =>
    ({ name, filename, type, content: Buffer.from(content).toString("base64") });

async function bytes(stream) {
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
}

const parsers = {
    // Node's own, which fetch uses.
    async undici(request) {
        const headers = { "Content-Type": request.headers["content-type"] };
        const form = await new Response(await bytes(request), { headers }).formData();
        return Promise.all([...form].map(async ([name, value]) => typeof value === "string"
            ? part(name, value)
            : part(name, Buffer.from(await value.arrayBuffer()), value.name, value.type)));
    },
    busboy(request) {
        return new Promise((resolve, reject) => {
            const parts = [];
            // By default it reads names as Latin-1.
            const reader = require("busboy")({ headers: request.headers, defParamCharset: "utf8" });
            reader.on("field", (name, value) => parts.push(part(name, value)));
            reader.on("file", (name, stream, { filename, mimeType }) => {
                // Takes its place among the parts now; its content comes later.
                const place = parts.push(null) - 1;
                bytes(stream).then((content) => {
                    parts[place] = part(name, content, filename ?? null, mimeType);
                }, reject);
            });
            reader.on("close", () => setImmediate(() => resolve(parts)));
            reader.on("error", reject);
            request.pipe(reader);
        });
    },
    async formidable(request) {
        const { formidable } = require("formidable");
        const reader = formidable({ allowEmptyFiles: true, minFileSize: 0, multiples: true });
        const files = [];
        // Its result has the files in the order in which they were written to disk.
        reader.on("fileBegin", (name, file) => files.push([name, file]));
        const fields = await new Promise((resolve, reject) =>
            reader.parse(request, (error, found) => error ? reject(error) : resolve(found)));
        const texts = Object.entries(fields).flatMap(([name, values]) =>
            [values].flat().map((text) => part(name, text)));
        const contents = files.map(async ([name, file]) =>
            part(name, await readFile(file.filepath), file.originalFilename, file.mimetype));
        return [...texts, ...await Promise.all(contents)];
    },
};

const version = parser === "undici"
    ? process.versions.undici
    : JSON.parse(readFileSync(`${process.env.NODE_PATH}/${parser}/package.json`)).version;
createServer(async (request, response) => {
    try {
        const parts = await parsers[parser](request);
        response.end(JSON.stringify({ version, parts }));
    } catch (error) {
        response.writeHead(400, { Connection: "close" }).end(String(error));
    }
}).listen(Number(port), "127.0.0.1");
