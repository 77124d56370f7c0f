/** The strategy of Node: taints, quantities, and pod CIDRs, which are immutable once set. */
import type { Node, Taint } from "@drover/api/core/v1";
import {
  checkLabelValue,
  cidrWarnings,
  compareBytes,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  parseCidr,
  Quantity,
  validateLabelName,
  validateLegacyCidr,
} from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { structText, unsupportedName } from "../named-text.ts";
import { validateResourceAmount } from "../pod/resource-names.ts";

type NodeView = DeepReadonly<Node>;

/** The strategy of Node. */
export const nodeStrategy: Strategy<Node> = {
  prepareForCreate: (node) => {
    delete node.spec?.configSource;
    delete node.status?.config;
  },
  validate: validateNode,
  warningsOnCreate: nodeWarnings,
  prepareForUpdate: (node, old) => {
    if (old.spec?.configSource === undefined) delete node.spec?.configSource;
  },
  validateUpdate: (node, old) => [...validateNode(node), ...validateNodeUpdate(node, old)],
  warningsOnUpdate: nodeWarnings,
  subresources: {
    status: {
      prepareForUpdate: (node, old) => {
        if (old.status?.config === undefined) delete node.status?.config;
      },
      validateUpdate: validateNodeUpdate,
    },
  },
};

/** kube-apiserver reports taints below metadata. */
function validateNode(node: NodeView): FieldError[] {
  const capacity = node.status?.nodeInfo?.swap?.capacity;
  return [
    ...validateTaints(node.spec?.taints ?? [], "metadata.taints"),
    ...validateAmounts(node),
    ...(capacity !== undefined && capacity <= 0
      ? [fieldInvalid("metadata.nodeSwapStatus.capacity", capacity, "must be greater than zero")]
      : []),
    ...validateDeclaredFeatures(node),
    ...validatePodCidrs(node.spec?.podCIDRs ?? []),
  ];
}

function validateTaints(taints: readonly DeepReadonly<Taint>[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const { key, value = "", effect } = taint;
    const taintPath = `${path}[${index}]`;
    const problems = checkLabelValue(value);
    const errors = [
      ...validateLabelName(key, `${taintPath}.key`),
      ...(problems.length > 0 ? [fieldInvalid(`${taintPath}.value`, value, problems.join(";"))] : []),
      ...validateEffect(effect, `${taintPath}.effect`),
    ];
    const isAgain = seen.has(`${effect}/${key}`);
    seen.add(`${effect}/${key}`);
    if (!isAgain) return errors;
    const shown = structText({ Key: key, Value: value, Effect: effect, TimeAdded: taint.timeAdded ?? null });
    return [...errors, { ...fieldDuplicate(taintPath, taint), valueText: shown, detail: "taints must be unique by key and effect pair" }];
  });
}

function validateEffect(effect: string, path: FieldPath): FieldError[] {
  if (effect === "") return [fieldRequired(path)];
  const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
  return effects.includes(effect) ? [] : [unsupportedName(path, effect, effects)];
}

function validateAmounts({ status }: NodeView): FieldError[] {
  return (["capacity", "allocatable"] as const).flatMap((list) =>
    Object.entries(status?.[list] ?? {}).flatMap(([name, value]) =>
      validateResourceAmount(name, Quantity.fromJson(value), `status.${list}.${name}`),
    ),
  );
}

function validateDeclaredFeatures({ status }: NodeView): FieldError[] {
  const features = status?.declaredFeatures ?? [];
  const path = "status.declaredFeatures";
  return features.flatMap((feature, index) => {
    const problem = findFeatureProblem(feature);
    const next = features[index + 1];
    return [
      ...(problem === undefined ? [] : [fieldInvalid(`${path}[${index}]`, feature, `invalid feature name "${feature}": ${problem}`)]),
      ...(next === feature ? [fieldDuplicate(`${path}[${index + 1}]`, next)] : []),
      ...(next !== undefined && compareBytes(feature, next) > 0
        ? [fieldInvalid(`${path}[${index + 1}]`, next, "list must be sorted alphabetically")]
        : []),
    ];
  });
}

function findFeatureProblem(feature: string): string | undefined {
  if (feature.length > 253) return "must be no more than 253 characters";
  if (/^[A-Z][a-zA-Z0-9]*(?:\/[a-zA-Z0-9]+)*$/.test(feature)) return undefined;
  return "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";
}

function validatePodCidrs(cidrs: readonly string[]): FieldError[] {
  const path = "spec.podCIDRs";
  const errors = cidrs.flatMap((cidr, index) => validateLegacyCidr(cidr, `${path}[${index}]`));
  const families = new Set(cidrs.map((cidr) => parseCidr(cidr)?.bits));
  if (families.has(undefined) || cidrs.length < 2 || (cidrs.length === 2 && families.size === 2)) return errors;
  return [...errors, fieldInvalid(path, cidrs, "may specify no more than one CIDR for each IP family")];
}

function validateNodeUpdate(node: NodeView, old: NodeView): FieldError[] {
  const errors = [...validateAmounts(node), ...validateDeclaredFeatures(node), ...validateAddresses(node)];
  const [cidrs, oldCidrs] = [node.spec?.podCIDRs ?? [], old.spec?.podCIDRs ?? []];
  const changes =
    oldCidrs.length === 0 || cidrs.length !== oldCidrs.length
      ? Number(oldCidrs.length > 0)
      : oldCidrs.filter((cidr, index) => cidr !== cidrs[index]).length;
  const refused = (name: string): FieldError =>
    fieldForbidden(`spec.${name}s`.replace("IDs", "ID"), `node updates may not change ${name} except from "" to valid`);
  for (let change = 0; change < changes; change++) errors.push(refused("podCIDR"));
  const oldId = old.spec?.providerID ?? "";
  if (oldId !== "" && oldId !== node.spec?.providerID) errors.push(refused("providerID"));
  errors.push(...validateTaints(node.spec?.taints ?? [], "metadata.taints"));
  if ((node.spec?.externalID ?? "") !== (old.spec?.externalID ?? "")) errors.push(fieldForbidden("spec.externalID", "may not be updated"));
  return errors;
}

function validateAddresses({ status }: NodeView): FieldError[] {
  const seen = new Set<string>();
  return (status?.addresses ?? []).flatMap(({ type, address }, index) => {
    const shown = structText({ Type: type, Address: address });
    const isAgain = seen.has(shown);
    seen.add(shown);
    return isAgain ? [{ ...fieldDuplicate(`status.addresses[${index}]`, address), valueText: shown }] : [];
  });
}

function nodeWarnings({ spec }: NodeView): string[] {
  return [
    ...(spec?.configSource === undefined ? [] : ["spec.configSource: the feature is removed"]),
    ...((spec?.externalID ?? "") === "" ? [] : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
    ...(spec?.podCIDRs ?? []).flatMap((cidr, index) => cidrWarnings(cidr, `spec.podCIDRs[${index}]`)),
  ];
}
