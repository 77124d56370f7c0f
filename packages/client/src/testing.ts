/** The second door of this package: a server by script, for tests of everything that sends requests. */
export { ScriptedStream } from "./testing/scripted-stream.ts";
export type { ScriptedStreamOptions } from "./testing/scripted-stream.ts";
export { ScriptError, jsonResponse, scriptedTransport, statusResponse, textResponse } from "./testing/scripted-transport.ts";
export type { ResponseOptions, Script, ScriptedRequest, ScriptedResponder, ScriptedTransport } from "./testing/scripted-transport.ts";
export { webSocketPair } from "./streams/web-socket-pair.ts";
export type { WebSocketEnd } from "./streams/web-socket-pair.ts";
