#!/usr/bin/env node
// Starts the program of the package that npm installed for this machine.
"use strict";
const { spawn } = require("node:child_process");

const name = `@assay-dev/assay-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/assay${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`assay: the package ${name} is not installed`);
  console.error("hint: install again without --omit=optional; where there is no such package, build from source: https://github.com/assay-dev/assay");
  process.exit(5);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (e) => {
  console.error(`assay: ${e.message}`);
  process.exit(5);
});
child.on("exit", (status, signal) => process.exit(signal ? 130 : status));
