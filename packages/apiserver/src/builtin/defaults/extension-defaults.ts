/** Defaults of CustomResourceDefinition and APIService. */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { APIService } from "@drover/api/apiregistration/v1";
import { setServiceReferenceDefaults } from "./admission-defaults.ts";
import { elements } from "./elements.ts";

export function setCustomResourceDefinitionDefaults(definition: CustomResourceDefinition): void {
  const { spec } = definition;
  const { names } = spec;
  if (names.kind) {
    names.singular ||= names.kind.toLowerCase();
    names.listKind ||= `${names.kind}List`;
  }
  spec.conversion ??= { strategy: "None" };
  const { webhook } = spec.conversion;
  if (webhook !== undefined && webhook.clientConfig === undefined && isNothing(webhook.conversionReviewVersions))
    delete spec.conversion.webhook;
  setServiceReferenceDefaults(webhook?.clientConfig?.service);
  const status = (definition.status ??= {});
  if (elements(status.storedVersions).length > 0) return;
  const stored = elements(spec.versions).find(({ storage }) => storage);
  if (stored !== undefined) status.storedVersions = [stored.name];
}

export const setApiServiceDefaults = ({ spec }: APIService): void => setServiceReferenceDefaults(spec?.service);

const isNothing = (list: readonly string[] | null | undefined): boolean => list === null || list === undefined;
