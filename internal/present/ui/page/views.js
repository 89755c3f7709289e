/**
 * The views, in the order of their keys. Each is loaded when it is first opened.
 * @type {{name: string, title: string, load: () => Promise<(main: HTMLElement, params: URLSearchParams, page: import("../page").Page) => import("../page").Shown>}[]}
 */
export const views = [
  { name: "start", title: "Start", load: async () => (await import("./start.js")).start },
  { name: "brief", title: "Brief", load: async () => (await import("./brief.js")).brief },
  { name: "search", title: "Search", load: async () => (await import("./search.js")).search },
  { name: "files", title: "Files", load: async () => (await import("./files.js")).files },
  { name: "structure", title: "Structure", load: async () => (await import("./structure.js")).structure },
  { name: "map", title: "Map", load: async () => (await import("./map.js")).map },
  { name: "truth", title: "Findings", load: async () => (await import("./truth.js")).truth },
  { name: "memory", title: "Notes", load: async () => (await import("./memory.js")).memory },
  { name: "library", title: "Docs", load: async () => (await import("./library.js")).library },
  { name: "modules", title: "Modules", load: async () => (await import("./modules.js")).modules },
  { name: "now", title: "Now", load: async () => (await import("./now.js")).now },
];
