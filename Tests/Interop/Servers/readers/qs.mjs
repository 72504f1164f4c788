// Reads nested names with qs, from the fields that busboy finds. Usage: node qs.mjs PORT
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";

// Unlike import, require looks where NODE_PATH points.
const require = createRequire(import.meta.url);
const busboy = require("busboy");
const qs = require("qs");

const { version } = JSON.parse(readFileSync(`${process.env.NODE_PATH}/qs/package.json`));
createServer((request, response) => {
    const fields = [];
    const reader = busboy({ headers: request.headers });
    reader.on("field", (name, value) => fields.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`));
    reader.on("close", () => {
        const value = qs.parse(fields.join("&"));
        response.end(JSON.stringify({ version: `qs ${version}`, value }));
    });
    reader.on("error", (error) => response.writeHead(400, { Connection: "close" }).end(String(error)));
    request.pipe(reader);
}).listen(Number(process.argv[2]), "127.0.0.1");
