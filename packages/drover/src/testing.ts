/** Entry point for tests: an operator on an API server in this process, a manual clock, a seeded runtime, and a scripted server. */
export { harness } from "./harness/harness.ts";
export type { Harness, SettledOptions } from "./harness/harness.ts";
export type { HarnessApp, HarnessController, HarnessPlace, HarnessRun } from "./harness/harness-app.ts";
export type { HarnessFault } from "./harness/harness-fault.ts";
export type { HarnessCluster, HarnessOptions } from "./harness/harness-options.ts";
export type { HarnessVerbs, StatusPatch } from "./harness/harness-verbs.ts";
export { checkConversions } from "./conversions/check-conversions.ts";
export type { CheckConversionsOptions, CheckedConversions } from "./conversions/check-conversions.ts";
export { ConversionError, isConversionError } from "./conversions/conversion-error.ts";
export type { ConversionFailure } from "./conversions/conversion-error.ts";
export { isNotSettledError, NotSettledError } from "./harness/not-settled-error.ts";
export type { NotSettledReason } from "./harness/not-settled-error.ts";
export {
  bodyText,
  faultServer,
  jsonResponse,
  memoryHost,
  ScriptedStream,
  scriptedTransport,
  ScriptError,
  statusResponse,
  textResponse,
  webSocketPair,
} from "@drover/client/testing";
export type {
  Fault,
  FaultServer,
  FaultServerOptions,
  MemoryFile,
  MemoryHost,
  MemoryHostOptions,
  ResponseOptions,
  Script,
  ScriptedRequest,
  ScriptedResponder,
  ScriptedStreamOptions,
  ScriptedTransport,
  WebSocketEnd,
} from "@drover/client/testing";
export { hostileValues, ManualClock, metricValues, recordingLog, testRuntime } from "@drover/machinery/testing";
export type { HostileValue, LogEntry, ManualClockOptions, RecordingLog, TestRuntime, TestRuntimeOptions } from "@drover/machinery/testing";
export { ControllerSource, MapSink, refused, ScriptedApi, soakCache } from "@drover/cache/testing";
export type {
  ApiCall,
  ApiFault,
  Commit,
  GoneForm,
  HistorySnapshot,
  ScriptedApiOptions,
  ScriptedChances,
  ScriptedObject,
  ScriptedWatch,
  SoakOptions,
  SoakReport,
} from "@drover/cache/testing";
