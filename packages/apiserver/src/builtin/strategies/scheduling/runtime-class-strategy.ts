/** The strategy of RuntimeClass. */
import type { RuntimeClass } from "@drover/api/node/v1";
import { checkLabelName, fieldDuplicate, validateLabels } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { validateImmutable, validateRequiredText } from "../checked-field.ts";
import { structText } from "../named-text.ts";
import { validateContainerResources } from "../pod/resources.ts";
import { validateTolerations } from "../pod/tolerations.ts";

/** The strategy of RuntimeClass. */
export const runtimeClassStrategy: Strategy<RuntimeClass> = {
  validate: validateRuntimeClass,
  validateUpdate: ({ handler }, old) => validateImmutable(handler, old.handler, "handler"),
};

function validateRuntimeClass({ handler, overhead, scheduling }: RuntimeClass): FieldError[] {
  const { nodeSelector, tolerations = [] } = scheduling ?? {};
  const seen = new Set<string>();
  return [
    ...validateRequiredText(handler, "handler", checkLabelName),
    ...(overhead === undefined ? [] : validateContainerResources({ limits: overhead.podFixed ?? {} }, new Set(), "overhead")),
    ...validateLabels(nodeSelector, "scheduling.nodeSelector"),
    ...validateTolerations(tolerations, "scheduling.tolerations"),
    ...tolerations.flatMap(({ key = "", operator = "", value = "", effect = "", tolerationSeconds = null }, index) => {
      const id = structText([key, operator, value, effect]);
      const isAgain = seen.has(id);
      seen.add(id);
      const shown = structText({ Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds: tolerationSeconds });
      return isAgain ? [{ ...fieldDuplicate(`scheduling.tolerations[${index}]`, key), valueText: shown }] : [];
    }),
  ];
}
