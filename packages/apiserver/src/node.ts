/** The API server on Node: its host and its listener. */

export { listen } from "./http/listener.ts";
export type { Listener } from "./http/listener.ts";
export type { ListenerTls, ListenOptions } from "./http/listen-options.ts";
export { nodeHost } from "./http/node-host.ts";
