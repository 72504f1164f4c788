// Reads forms with busboy, prints its port, and ends with its input.
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import { createRequire } from "node:module";

// Unlike import, require looks where NODE_PATH points.
const busboy = createRequire(import.meta.url)("busboy");

const server = createServer((request, response) => {
    let [parts, names, content] = [0, 0, 0];
    const add = (name) => {
        parts += 1;
        names += Buffer.byteLength(name);
    };
    const reader = busboy({ headers: request.headers });
    reader.on("field", (name, value) => {
        add(name);
        content += Buffer.byteLength(value);
    });
    reader.on("file", (name, stream) => {
        add(name);
        stream.on("data", (bytes) => { content += bytes.length; });
    });
    reader.on("error", (error) => response.writeHead(400, { Connection: "close" }).end(String(error)));
    reader.on("close", () => response.end(JSON.stringify({ parts, names, bytes: content })));
    request.pipe(reader);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.resume().on("end", () => process.exit(0));
