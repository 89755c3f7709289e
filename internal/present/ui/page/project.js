// The files of the project, read once and again when a view asks for it.

import { report } from "./api.js";

/** @typedef {{paths: string[], languages: Map<string, string>, folders: Set<string>}} Project */

/** @type {Promise<Project> | null} */
let reading = null;

/** @returns {Promise<Project>} */
async function read() {
  const byLanguage = await report("files");
  const languages = new Map();
  const folders = new Set([""]);
  for (const [language, paths] of Object.entries(byLanguage)) {
    for (const path of paths) {
      languages.set(path, language);
      for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) folders.add(path.slice(0, at));
    }
  }
  return { paths: [...languages.keys()].sort(), languages, folders };
}

/**
 * project returns the files; again reads them anew.
 * @param {boolean} [again]
 */
export function project(again) {
  if (again || !reading) {
    reading = read();
    reading.catch(() => { reading = null; });
  }
  return reading;
}

/** isTest reports whether a path is that of a test. */
export const isTest = (/** @type {string} */ path) => /(^|[/_.-])(tests?|specs?|testdata|__tests__)([/_.-]|$)|Tests?\.[a-z]+$/.test(path);

/** parent is the folder of a path, "" for the top. */
export const parent = (/** @type {string} */ path) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** base is the last part of a path. */
export const base = (/** @type {string} */ path) => path.slice(path.lastIndexOf("/") + 1);

/**
 * resolve is a path as a document in a folder names it, or null if it leads out of the project.
 * @param {string} folder
 * @param {string} to
 */
export function resolve(folder, to) {
  const parts = to.startsWith("/") || !folder ? [] : folder.split("/");
  for (const part of to.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}
