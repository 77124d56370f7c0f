/** Imported by loaded-built-ins.mjs and bench/start.ts, to tell what importing anything takes. */
export {};
