/** Registers the policies of a program that serves no webhooks, as a runnable of its manager. */
import { until } from "@drover/machinery";
import type { Clock, Log } from "@drover/machinery";
import type { Runnable } from "../manager/runnable.ts";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import type { WebhookRegistration } from "./registration.ts";

export interface PolicyRegistrationOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly registration: WebhookRegistration;
  readonly needs: readonly PermissionNeed[];
}

const periodMs = 10_000;

/** Applies the policies every ten seconds, if they are not as declared. */
export class PolicyRegistration implements Runnable {
  readonly name = "policies";
  readonly group = "server";
  readonly needsLease = false;
  readonly needs: readonly PermissionNeed[];
  readonly #options: PolicyRegistrationOptions;

  constructor(options: PolicyRegistrationOptions) {
    this.#options = options;
    this.needs = options.needs;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log, registration } = this.#options;
    await until(
      clock,
      periodMs,
      async () => {
        try {
          // Policies are evaluated by the API server: no address of this program is written.
          await registration.sync({ target: { url: "https://localhost" } }, signal);
        } catch (error) {
          if (!signal.aborted) log.warn("cannot register the policies of this program", { error, code: "DRV0608" });
        }
      },
      { signal },
    );
  }
}
