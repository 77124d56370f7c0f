/** Webhooks of the stored configurations, ready to match requests. */
import type { MutatingWebhook, MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@drover/api/admissionregistration/v1";
import type { DeepReadonly, JsonObject } from "@drover/machinery";
import { admissionEnvironment } from "../../cel/admission/admission-environment.ts";
import { compileMatchConditions } from "../cel/match-conditions.ts";
import type { CompiledCondition } from "../cel/match-conditions.ts";
import { requestSelectors } from "../match/selector-match.ts";
import type { RequestSelectors } from "../match/selector-match.ts";

export interface RegisteredWebhook {
  /** Name of the configuration. */
  readonly configuration: string;
  /** Identifies the webhook among all: configuration, name, and how many of that name came before. */
  readonly id: string;
  /** A validating webhook has no reinvocationPolicy. */
  readonly hook: DeepReadonly<MutatingWebhook>;
  /** Compiled on first use. Throws a `SelectorError`: an update can keep selectors that are invalid by newer rules. */
  readonly selectors: () => RequestSelectors;
  /** Compiled on first use. */
  readonly conditions: () => readonly CompiledCondition[];
}

const environment = admissionEnvironment({ hasParams: false, hasAuthorizer: true });

type Configuration = DeepReadonly<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>;

/** Returns the webhooks of all configurations, in the order of the configurations' names. Assumes that they are sorted. */
export function registeredWebhooks(configurations: readonly DeepReadonly<JsonObject>[]): readonly RegisteredWebhook[] {
  return (configurations as unknown as readonly Configuration[]).flatMap(({ metadata: { name: configuration = "" }, webhooks = [] }) => {
    const counts = new Map<string, number>();
    return webhooks.map((hook): RegisteredWebhook => {
      const count = counts.get(hook.name) ?? 0;
      counts.set(hook.name, count + 1);
      let conditions: readonly CompiledCondition[] | undefined;
      let selectors: RequestSelectors | undefined;
      return {
        configuration,
        id: `${configuration}/${hook.name}/${count}`,
        hook,
        selectors: () => (selectors ??= requestSelectors(hook)),
        conditions: () => (conditions ??= compileMatchConditions(hook.matchConditions ?? [], environment)),
      };
    });
  });
}
