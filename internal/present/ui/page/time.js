import { el } from "./dom.js";

const units = [["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]];
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/**
 * ago shows how long ago a time was; the time itself is its title.
 * @param {string | number | Date | undefined} time a day, a time, or milliseconds
 */
export function ago(time) {
  const date = new Date(time ?? NaN);
  if (Number.isNaN(date.getTime())) return el("span", {}, time ?? "");
  const seconds = (date.getTime() - Date.now()) / 1000;
  const isDay = typeof time === "string" && time.length === 10;
  const [unit, length] = units.find(([, n]) => Math.abs(seconds) >= Number(n)) ?? ["second", 1];
  const text = isDay && Math.abs(seconds) < 86400 ? "today" : Math.abs(seconds) < 45 ? "just now" : words.format(Math.round(seconds / Number(length)), /** @type {Intl.RelativeTimeFormatUnit} */ (unit));
  return el("time", { datetime: date.toISOString(), title: isDay ? time : date.toLocaleString("en"), class: "line" }, text);
}
