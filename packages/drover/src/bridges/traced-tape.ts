/**
 * Spans of OpenTelemetry: a reconcile is a span, its requests are child spans, and it links to the runs that caused it.
 *
 *     import * as api from "@opentelemetry/api";
 *     app.run({ tape: tracedTape(createTape(runtime), api) })
 */
import type { CallRecord, Cause, RecordingTape, ResultRecord, RunStart } from "@drover/controller";
import { budget, callSafely, definedOnly } from "@drover/machinery";

/** Identity of a span, as the API defines it. */
export interface TraceSpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}
/** The part of a span that is used. */
export interface TraceSpan {
  spanContext(): TraceSpanContext;
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(endTime?: number): void;
}
/** Options of a new span. */
export interface TraceSpanOptions {
  readonly kind?: number;
  readonly startTime?: number;
  readonly attributes?: Record<string, string | number>;
  readonly links?: { context: TraceSpanContext }[];
}
/** The part of `@opentelemetry/api` that is used; the module itself fits. */
export interface TraceApi {
  readonly trace: {
    getTracer(name: string): { startSpan(name: string, options?: TraceSpanOptions, context?: never): TraceSpan };
    setSpan(context: never, span: never): unknown;
  };
  readonly context: { active(): unknown };
}

/** Runs and writes whose spans can still be linked to. */
const linkedSpans = budget({
  name: "drover/linked-spans",
  limit: 10_000,
  unit: "items",
  atLimit: "The older half of the spans is forgotten; runs that they caused have no link to them.",
  uncounted: "Nothing fails; only a link is missing.",
});

/** Client of a request, as the API numbers it; 0 is internal. */
const clientKind = 2;
const errorCode = 2;

/**
 * Returns a tape that records as `tape` does, and also sends spans: `reconcile <controller>` for a run, with its key, attempts and result,
 * and one for each request. A run links to the run that it retries or that enqueued it, and to the runs of this process whose writes it
 * reacts to.
 *
 * Guarantees: a failing exporter costs the span, not the record or the run. The global tracer is read once.
 */
export function tracedTape(tape: RecordingTape, api: TraceApi): RecordingTape {
  const tracer = api.trace.getTracer("drover");
  const spans = new LinkedSpans();
  const beginSpan = (start: RunStart, startTime: number): TraceSpan =>
    tracer.startSpan(`reconcile ${start.controller}`, {
      startTime,
      attributes: {
        "drover.controller": start.controller,
        "drover.key": start.key,
        "drover.run": start.run,
        "drover.attempts": start.attempts,
        "drover.waited_ms": start.waitedMs,
        "drover.causes": start.causeCount,
      },
      links: spans.causing(start.causes),
    });
  const callSpan = (parent: TraceSpan, { method, path, atMs, tookMs, status, error }: CallRecord, startTime: number): void => {
    const context = api.trace.setSpan(api.context.active() as never, parent as never) as never;
    const options: TraceSpanOptions = {
      kind: clientKind,
      startTime: startTime + atMs,
      attributes: {
        "http.request.method": method,
        "url.path": path,
        ...definedOnly({ "http.response.status_code": status }),
      },
    };
    const span = tracer.startSpan(method, options, context);
    if (status === undefined || status >= 400) span.setStatus({ code: errorCode, ...definedOnly({ message: error }) });
    span.end(startTime + atMs + tookMs);
  };
  return {
    begin: (start) => {
      const inner = tape.begin(start);
      const startTime = tape.now();
      const span = safely(() => beginSpan(start, startTime));
      if (span === undefined) return inner;
      safely(() => spans.keep(runName(start.run), span));
      return {
        call: (call) => {
          inner.call(call);
          safely(() => {
            if (call.wrote !== undefined) spans.keep(writeName(call.wrote), span);
            callSpan(span, call, startTime);
          });
        },
        end: (result) => {
          inner.end(result);
          safely(() => {
            span.setAttribute("drover.result", result.type);
            const message = failureOf(result);
            if (message !== undefined) span.setStatus({ code: errorCode, message });
            span.end(tape.now());
          });
        },
      };
    },
    runs: (filter) => tape.runs(filter),
    calls: (limit) => tape.calls(limit),
    ended: (after, limit, filter) => tape.ended(after, limit, filter),
    records: (filter) => tape.records(filter),
    count: (filter) => tape.count(filter),
    describe: (causes) => tape.describe(causes),
    loops: () => tape.loops(),
    now: () => tape.now(),
  };
}

/** Returns undefined if the exporter fails. */
function safely<V>(work: () => V): V | undefined {
  let result: V | undefined;
  callSafely(
    () => void (result = work()),
    () => undefined,
  );
  return result;
}

function failureOf(result: ResultRecord): string | undefined {
  if ("error" in result) return result.error;
  return "reason" in result ? result.reason : undefined;
}

const runName = (run: string): string => `run ${run}`;
const writeName = ({ uid, resourceVersion }: { readonly uid: string; readonly resourceVersion: string }): string =>
  `write ${uid} ${resourceVersion}`;

/** The newest spans by run and by the versions that they wrote. */
class LinkedSpans {
  #recent = new Map<string, TraceSpanContext>();
  #before = new Map<string, TraceSpanContext>();

  keep(name: string, span: TraceSpan): void {
    if (this.#recent.size >= linkedSpans.limit / 2) {
      this.#before = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(name, span.spanContext());
  }

  /** Returns a link to each known span that led to these causes, once. */
  causing(causes: readonly Cause[]): { context: TraceSpanContext }[] {
    const names = causes.flatMap((cause) => {
      if (cause.type === "change") return [writeName({ uid: cause.change.uid, resourceVersion: versionOf(cause.change) })];
      if (cause.type === "retry" || cause.type === "after") return [runName(cause.run)];
      return cause.type === "enqueue" && cause.parent !== undefined ? [runName(cause.parent.run)] : [];
    });
    const contexts = names.flatMap((name) => this.#recent.get(name) ?? this.#before.get(name) ?? []);
    return [...new Map(contexts.map((context) => [context.spanId, { context }])).values()];
  }
}

/** The answer to a DELETE names no version. */
const versionOf = (change: { readonly type: string; readonly resourceVersion?: string }): string =>
  change.type === "deleted" ? "" : (change.resourceVersion ?? "");
