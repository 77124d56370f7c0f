/**
 * A plugin for the bundler. From Node 22 on, `import … from "node:http"` also loads undici, because importing a module
 * reads all its names, including lazy ones such as WebSocket. That takes 20 ms of every start; imported this way, only
 * http is loaded.
 */
import http from "node:http";

export function plainHttp() {
  const stub = "\0node:http";
  const names = Object.entries(Object.getOwnPropertyDescriptors(http))
    .filter(([, { get }]) => get === undefined)
    .map(([name]) => name);
  const code = `const http = process.getBuiltinModule("node:http");\n${names.map((name) => `export const ${name} = http.${name};\n`).join("")}`;
  return {
    name: "plain-http",
    resolveId: (specifier) => (specifier === "node:http" ? stub : undefined),
    load: (id) => (id === stub ? { code, moduleSideEffects: false } : undefined),
  };
}
