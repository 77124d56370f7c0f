/** The door for tests: a clock that is turned by hand, a runtime from a seed, a server by script. */
export { faultServer, jsonResponse, memoryHost, ScriptedStream, scriptedTransport, ScriptError, statusResponse, textResponse, webSocketPair } from "@drover/client/testing";
export type {
  Fault, FaultServer, FaultServerOptions, MemoryFile, MemoryHost, MemoryHostOptions, ResponseOptions, Script, ScriptedRequest, ScriptedResponder, ScriptedStreamOptions, ScriptedTransport, WebSocketEnd,
} from "@drover/client/testing";
export { ManualClock, recordingLog, testRuntime } from "@drover/machinery/testing";
export type { LogEntry, ManualClockOptions, RecordingLog, TestRuntime, TestRuntimeOptions } from "@drover/machinery/testing";
export {
  ControllerSource, MapSink, refused, ScriptedApi, soakCache,
} from "@drover/cache/testing";
export type {
  ApiCall, ApiFault, Commit, GoneForm, HistorySnapshot, ScriptedApiOptions, ScriptedChances, ScriptedObject, ScriptedWatch, SoakOptions, SoakReport,
} from "@drover/cache/testing";
