// Runs a Python program in bare Pyodide, with a wheel and a stand-in for `regex` to import:
// node in_pyodide.mjs FOLDER_OF_PYODIDE WHEEL FOLDER_OF_STAND_INS PROGRAM
import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, wheel, standIns, program] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(folder, "pyodide.mjs")));
const pyodide = await loadPyodide({ stdout: console.log, stderr: console.error });
pyodide.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel");
pyodide.FS.mkdir("/stand_ins");
for (const name of readdirSync(standIns).filter((name) => name.endsWith(".py"))) {
  pyodide.FS.writeFile(`/stand_ins/${name}`, readFileSync(resolve(standIns, name)));
}
pyodide.runPython("import sys; sys.path.append('/stand_ins')");
pyodide.runPython(readFileSync(program, "utf-8"));
