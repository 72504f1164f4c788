// Sends the forms with Node's fetch and FormData. Usage: node fetch.mjs ADDRESS FORMS
import { readFileSync } from "node:fs";
import { File } from "node:buffer";

const [address, path] = process.argv.slice(2);
console.log(`version\t${process.versions.node}`);
const forms = new Map();
for (const line of readFileSync(path, "utf8").trimEnd().split("\n")) {
    const [id, kind, ...encoded] = line.split("\t");
    const [name, filename, type, content] = encoded.map((word) => Buffer.from(word, "base64"));
    if (!forms.has(id)) forms.set(id, new FormData());
    const value = kind === "file"
        ? new File([content], filename.toString(), { type: type.toString() })
        : content.toString();
    forms.get(id).append(name.toString(), value);
}
for (const [id, body] of forms) {
    await fetch(`${address}/${id}`, { method: "POST", body, signal: AbortSignal.timeout(30_000) });
}
