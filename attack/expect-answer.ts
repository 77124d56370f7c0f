import type { Answer } from "./exchange.ts";

/** Rejects an answer with another status. */
export function expectStatus({ status, text }: Answer, ...statuses: readonly number[]): void {
  if (!statuses.includes(status)) throw new Error(`answered ${status} instead of ${statuses.join(" or ")}: ${text.slice(0, 200)}`);
}

/** A refusal of the client's fault: 4xx with a Status that has a message. */
export function expectRefusal(answer: Answer): void {
  if (answer.status < 400 || answer.status > 499)
    throw new Error(`answered ${answer.status} instead of a refusal: ${answer.text.slice(0, 200)}`);
}

/** Anything but a failure of the server. */
export function expectHandled({ status, text }: Answer): void {
  if (status < 200 || status > 499) throw new Error(`answered ${status}: ${text.slice(0, 200)}`);
}
