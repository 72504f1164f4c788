#!/usr/bin/env python3
"""Compiles Swift's standard library, and stubs of Apple's modules, for a client on an Apple platform to be checked with.

    modules.py DIRECTORY TRIPLE

The toolchain has its own library as text that keeps the availability of each declaration. The text is retargeted; for
a platform of 32 bits, Int and UInt get 32 bits, and a function whose body then no longer compiles gets another one.
Nothing that is compiled with the result can run.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

STUBS = pathlib.Path(__file__).resolve().parent / "stubs"
TARGET = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))
RESOURCES = pathlib.Path(TARGET["paths"]["runtimeResourcePath"])


# What the standard library has on Apple's platforms only.
ADDITIONS = """
@frozen public struct AutoreleasingUnsafeMutablePointer<Pointee> : Swift._Pointer {
  public let _rawValue: Builtin.RawPointer
  public init(_ _rawValue: Builtin.RawPointer)
  public var pointee: Pointee { get nonmutating set }
}
public func _bridgeAnyObjectToAny(_ object: Swift.AnyObject?) -> Any
@_silgen_name("_swift_stdlib_getErrorEmbeddedNSError")
public func _getErrorEmbeddedNSError<T>(_ error: T) -> Swift.AnyObject? where T : Swift.Error
"""

# With 32 bits, a conversion must say what becomes of a number that is too large.
NARROW_ADDITIONS = """
extension Swift.Int {
  @available(*, deprecated, message: "stops the program if the number does not fit: use clamping or exactly")
  public init(_ source: Swift.UInt64)
  @available(*, deprecated, message: "stops the program if the number does not fit: use clamping or exactly")
  public init(_ source: Swift.Int64)
}
"""


def frontend(*words):
    return subprocess.run(["swift-frontend", *map(str, words)], capture_output=True, text=True)


def retargeted(text, triple):
    """An interface for another platform, whose declarations are not checked themselves."""
    flags = f"-target {triple} -disable-availability-checking"
    text = re.sub(r"(?m)^(// swift-module-flags:.*)-target \S+", rf"\1{flags}", text, count=1)
    text = re.sub(r"(?m)^(// swift-module-flags:.*?) -static ", r"\1 ", text, count=1)
    text = text.replace(" -O ", " -Onone ", 1)
    return re.sub(r"(?m)^ *@backDeployed\(before: [^)]*\)\n", "", text)


def narrowed(text):
    """The standard library with an Int and a UInt of 32 bits."""
    halves = {"Int64": "Int32", "Int128": "Int64"}
    narrow = lambda match: re.sub(r"(?<=_)Int(64|128)\b|(?<=Builtin\.)Int(64|128)\b", lambda name: halves[name[0]], match[0])
    return re.sub(r"(?ms)^@frozen public struct U?Int : .*?^\}", narrow, text)


def without_bodies(lines, numbers):
    """The lines, with another body for each function that contains one of the numbered lines."""
    for number in sorted(numbers, reverse=True):
        indent = lambda index: len(lines[index]) - len(lines[index].lstrip())
        start = number - 1
        while not (lines[start].endswith("{") and re.search(r"\b(func|init|get|set)\b", lines[start])):
            start -= 1
        end = start + 1
        while indent(end) > indent(start) or lines[end].strip() != "}":
            end += 1
        lines[start + 1 : end] = ["Swift.fatalError()"] + [""] * (end - start - 2)
    return lines


def compile_interface(name, directory, triple):
    host = TARGET["target"]["moduleTriple"]
    text = retargeted((RESOURCES / f"linux/{name}.swiftmodule/{host}.swiftinterface").read_text(), triple)
    if name == "Swift":
        text += ADDITIONS
    if name == "Swift" and "_32-" in triple:
        text = narrowed(text) + NARROW_ADDITIONS
    interface = directory / f"{name}.swiftinterface"
    for _ in range(4):
        interface.write_text(text)
        result = frontend(
            "-compile-module-from-interface", "-parse-stdlib", "-module-name", name, "-target", triple, "-resource-dir", directory,
            "-module-cache-path", directory / "cache", "-I", directory, "-I", STUBS, "-sdk", STUBS,
            "-o", directory / f"{name}.swiftmodule", interface,
        )
        if result.returncode == 0:
            return
        numbers = {int(line) for line in re.findall(rf"(?m)^{re.escape(str(interface))}:(\d+):\d+: error:", result.stderr)}
        text = "\n".join(without_bodies(text.split("\n"), numbers - {1}))
    sys.exit(result.stderr)


def compile_stub(name, directory, triple):
    result = frontend(
        "-emit-module", "-O", "-parse-as-library", "-module-name", name, "-target", triple, "-resource-dir", directory,
        "-module-cache-path", directory / "cache", "-I", directory, "-I", STUBS, "-sdk", STUBS, "-swift-version", "5",
        "-enable-experimental-feature", "Lifetimes", "-disable-implicit-string-processing-module-import",
        "-disable-availability-checking", "-experimental-skip-all-function-bodies", "-suppress-warnings",
        *sorted(STUBS.glob(f"{name}*.swift")), "-o", directory / f"{name}.swiftmodule",
    )
    if result.returncode:
        sys.exit(result.stderr)


def main():
    directory, triple = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    for name in ["shims", "clang", "apinotes"]:
        (directory / name).symlink_to((RESOURCES / name).resolve())
    for name in ["Swift", "SwiftOnoneSupport", "_Concurrency"]:
        compile_interface(name, directory, triple)
    for name in ["ObjectiveC", "Darwin", "Dispatch", "Foundation"]:
        compile_stub(name, directory, triple)
    if "macosx" in triple:
        for name in ["_StringProcessing", "Testing"]:
            compile_interface(name, directory, triple)


main()
