// Files that a person gives to the page. None is read beyond what the server takes.

import { api } from "./api.js";

const MB = 1 << 20;

/**
 * Return the text of a rulesheet.
 *
 * @param {File} file
 * @returns {Promise<string>}
 */
export async function readRules(file) {
  const { caps } = await api.info();
  if (file.size > caps.rules_bytes) throw tooLarge(file, caps.rules_bytes);
  return textOf(file, file);
}

/**
 * Return the record in a file; of a file with a record on each line, the first.
 *
 * @param {File} file
 * @returns {Promise<any>}
 */
export async function readRecord(file) {
  const { caps } = await api.info();
  const text = (await textOf(file, file.slice(0, caps.body_bytes))).trimStart();
  const isOnLines = text.includes("\n") && !text.startsWith("{\n");
  if (!isOnLines && file.size > caps.body_bytes) throw tooLarge(file, caps.body_bytes);
  try {
    return JSON.parse(isOnLines ? text.split("\n", 1)[0] : text);
  } catch {
    throw new Error(`${file.name} is not JSON.`);
  }
}

/**
 * @param {File} file
 * @param {Blob} part of it
 */
function textOf(file, part) {
  return part.text().catch(() => {
    throw new Error(`${file.name} cannot be read.`); // it was changed or removed since it was chosen
  });
}

/**
 * @param {File} file
 * @param {number} most
 */
function tooLarge(file, most) {
  const [has, takes] = [file.size, most].map((bytes) => `${(bytes / MB).toFixed(1)} MB`);
  return new Error(`${file.name} has ${has}; this server takes at most ${takes}.`);
}
