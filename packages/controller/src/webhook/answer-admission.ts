/**
 * Answers one admission review: runs the handler until shortly before the API server stops waiting, and turns its failure into an answer.
 *
 *     AdmissionRequest → AdmissionHandler → AdmissionAnswer → text
 */
import { abortable, deadline, errorText, formatDuration, isTimeoutError } from "@drover/machinery";
import type { Clock, Log } from "@drover/machinery";
import { problemCode } from "@drover/machinery/codes";
import { admissionReviewText } from "./admission-review.ts";
import type { ReceivedAdmissionReview } from "./admission-review.ts";
import type { AdmissionAnswer, AdmissionWebhook } from "./webhook.ts";

/** Length of the message of a failed handler. */
const messageMax = 1000;

export interface AnswerAdmissionOptions {
  readonly webhook: AdmissionWebhook;
  readonly clock: Clock;
  readonly log: Log;
  /** How long the handler may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborts when the API server closes the connection. */
  readonly signal?: AbortSignal;
  /** Called when the handler failed. */
  readonly onFailure: () => void;
}

/**
 * Returns the response as JSON. A handler that throws, hangs or returns an unusable answer is a refusal with code 500 (504 if it hangs) and
 * its message, without a stack; with `failurePolicy: "Ignore"` the request is allowed with a warning. Rejects only if `signal` aborts.
 */
export async function answerAdmission({ apiVersion, request }: ReceivedAdmissionReview, options: AnswerAdmissionOptions): Promise<string> {
  const { webhook, clock, log, timeoutMs, signal: parent, onFailure } = options;
  const review = { apiVersion, uid: request.uid, object: request.object, type: webhook.type };
  const { signal, release } = deadline(clock, timeoutMs, parent === undefined ? {} : { signal: parent });
  try {
    const handled = Promise.resolve().then(() => webhook.handle(request, { signal, log }));
    return admissionReviewText(checkedAnswer(await abortable(handled, signal)), review);
  } catch (error) {
    parent?.throwIfAborted();
    const isLate = signal.aborted && isTimeoutError(signal.reason);
    const why = isLate ? `no answer within ${formatDuration(timeoutMs)}` : errorText(error).slice(0, messageMax);
    onFailure();
    log.error(isLate ? "webhook handler timed out" : "webhook handler failed", {
      error,
      code: isLate ? "DRV0604" : (problemCode(error) ?? "DRV0605"),
    });
    return admissionReviewText(failedAnswer(webhook, why, isLate), { ...review, type: "validating" });
  } finally {
    release();
  }
}

function failedAnswer({ name, failurePolicy = "Fail" }: AdmissionWebhook, why: string, isLate: boolean): AdmissionAnswer {
  if (failurePolicy === "Ignore") return { isAllowed: true, warnings: [`webhook ${name} failed and was ignored: ${why}`] };
  return {
    isAllowed: false,
    code: isLate ? 504 : 500,
    reason: isLate ? "Timeout" : "InternalError",
    message: why,
  };
}

function checkedAnswer(answer: unknown): AdmissionAnswer {
  const { isAllowed } = (answer ?? {}) as Partial<AdmissionAnswer>;
  if (typeof isAllowed !== "boolean")
    throw new TypeError("the handler returned no answer: return { isAllowed: true } or { isAllowed: false, message }");
  return answer as AdmissionAnswer;
}
