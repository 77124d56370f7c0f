/**
 * Entry point `./testing`: a scripted server, a faulty network and a host in memory, for tests of code that sends requests
 * or reads a kubeconfig.
 */
export { bodyText } from "./testing/body-text.ts";
export type { Fault } from "./testing/fault.ts";
export { faultServer } from "./testing/fault-server.ts";
export type { FaultServer, FaultServerOptions } from "./testing/fault-server.ts";
export { memoryHost } from "./testing/memory-host.ts";
export type { MemoryFile, MemoryHost, MemoryHostOptions } from "./testing/memory-host.ts";
export { ScriptedStream } from "./testing/scripted-stream.ts";
export type { ScriptedStreamOptions } from "./testing/scripted-stream.ts";
export { ScriptError, jsonResponse, scriptedTransport, statusResponse, textResponse } from "./testing/scripted-transport.ts";
export type { ResponseOptions, Script, ScriptedRequest, ScriptedResponder, ScriptedTransport } from "./testing/scripted-transport.ts";
export { webSocketPair } from "./streams/web-socket-pair.ts";
export type { WebSocketEnd } from "./streams/web-socket-pair.ts";
