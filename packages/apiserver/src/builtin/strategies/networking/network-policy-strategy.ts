/** The strategy of NetworkPolicy. */
import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort, NetworkPolicySpec } from "@drover/api/networking/v1";
import {
  checkPortName,
  checkPortNumber,
  cidrWarnings,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  parseCidr,
  validateLabelSelector,
  validateLegacyCidr,
} from "@drover/machinery";
import type { Cidr, DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { problemsOf, validateOptionalChoice } from "../checked-field.ts";
import { unsupportedName } from "../named-text.ts";

/** Invalid values that an update may keep. */
interface Allowances {
  readonly allowInvalidValues: boolean;
  readonly cidrs: readonly string[];
}

/** The strategy of NetworkPolicy. */
export const networkPolicyStrategy: Strategy<NetworkPolicy> = {
  validate: ({ spec }) => validateSpec(spec, { allowInvalidValues: false, cidrs: [] }),
  warningsOnCreate: policyWarnings,
  validateUpdate: ({ spec }, old) =>
    validateSpec(spec, {
      allowInvalidValues: validateLabelSelector(old.spec?.podSelector, "").length > 0,
      cidrs: blocksOf(old).flatMap(([{ cidr, except = [] }]) => [cidr, ...except]),
    }),
  warningsOnUpdate: policyWarnings,
};

function validateSpec(spec: DeepReadonly<NetworkPolicySpec> | undefined, allowed: Allowances): FieldError[] {
  const { podSelector, ingress = [], egress = [], policyTypes = [] } = spec ?? {};
  const rule = (
    ports: readonly DeepReadonly<NetworkPolicyPort>[] = [],
    peers: readonly DeepReadonly<NetworkPolicyPeer>[] = [],
    path: FieldPath,
    name: string,
  ): FieldError[] => [
    ...ports.flatMap((port, index) => validatePort(port, `${path}.ports[${index}]`)),
    ...peers.flatMap((peer, index) => validatePeer(peer, `${path}.${name}[${index}]`, allowed)),
  ];
  const errors = [
    ...validateLabelSelector(podSelector, "spec.podSelector", allowed),
    ...ingress.flatMap(({ ports, from }, index) => rule(ports, from, `spec.ingress[${index}]`, "from")),
    ...egress.flatMap(({ ports, to }, index) => rule(ports, to, `spec.egress[${index}]`, "to")),
  ];
  if (policyTypes.length > 2)
    return [...errors, fieldInvalid("spec.policyTypes", policyTypes, "may not specify more than two policyTypes")];
  const types = ["Ingress", "Egress"];
  return [
    ...errors,
    ...policyTypes.flatMap((type, index) => (types.includes(type) ? [] : [unsupportedName(`spec.policyTypes[${index}]`, type, types)])),
  ];
}

function validatePort({ protocol, port, endPort }: DeepReadonly<NetworkPolicyPort>, path: FieldPath): FieldError[] {
  const errors = validateOptionalChoice(protocol, `${path}.protocol`, ["TCP", "UDP", "SCTP"]);
  const endPath = `${path}.endPort`;
  if (port === undefined)
    return endPort === undefined
      ? errors
      : [...errors, fieldInvalid(endPath, endPort, "may not be specified when `port` is not specified")];
  if (typeof port === "string") {
    const named = endPort === undefined ? [] : [fieldInvalid(endPath, endPort, "may not be specified when `port` is non-numeric")];
    return [...errors, ...named, ...problemsOf(`${path}.port`, port, checkPortName(port))];
  }
  errors.push(...problemsOf(`${path}.port`, port, checkPortNumber(port)));
  if (endPort === undefined) return errors;
  // kube-apiserver shows the first port here.
  if (endPort < port) errors.push(fieldInvalid(endPath, port, "must be greater than or equal to `port`"));
  return [...errors, ...problemsOf(endPath, endPort, checkPortNumber(endPort))];
}

function validatePeer(
  { podSelector, namespaceSelector, ipBlock }: DeepReadonly<NetworkPolicyPeer>,
  path: FieldPath,
  allowed: Allowances,
): FieldError[] {
  const count = [podSelector, namespaceSelector, ipBlock].filter((part) => part !== undefined).length;
  const errors = [
    ...validateLabelSelector(podSelector, `${path}.podSelector`, allowed),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`, allowed),
    ...(ipBlock === undefined ? [] : validateBlock(ipBlock, `${path}.ipBlock`, allowed.cidrs)),
  ];
  if (count === 0) return [...errors, fieldRequired(path, "must specify a peer")];
  return count > 1 && ipBlock !== undefined ? [...errors, fieldForbidden(path, "may not specify both ipBlock and another peer")] : errors;
}

function validateBlock({ cidr, except = [] }: DeepReadonly<IPBlock>, path: FieldPath, oldValues: readonly string[]): FieldError[] {
  if (cidr === "") return [fieldRequired(`${path}.cidr`)];
  const block = parseCidr(cidr);
  const errors = validateLegacyCidr(cidr, `${path}.cidr`, { oldValues });
  if (block === undefined) return errors;
  return [
    ...errors,
    ...except.flatMap((text, index) => {
      const part = parseCidr(text);
      const isOutside = part !== undefined && !isStrictlyInside(part, block);
      return [
        ...validateLegacyCidr(text, `${path}.except[${index}]`, { oldValues }),
        ...(isOutside ? [fieldInvalid(`${path}.except[${index}]`, text, "must be a strict subset of `cidr`")] : []),
      ];
    }),
  ];
}

function isStrictlyInside(part: Cidr, block: Cidr): boolean {
  if (part.prefixLength <= block.prefixLength || part.bits !== block.bits) return false;
  const bits = (bytes: readonly number[]): string =>
    bytes
      .map((byte) => byte.toString(2).padStart(8, "0"))
      .join("")
      .slice(0, block.prefixLength + 128 - block.bits);
  return bits(part.network.bytes) === bits(block.network.bytes);
}

/** Returns all IP blocks of a policy with their paths. */
function blocksOf({ spec }: DeepReadonly<NetworkPolicy>): (readonly [DeepReadonly<IPBlock>, FieldPath])[] {
  const peers = [
    ...(spec?.ingress ?? []).flatMap(({ from = [] }, index) =>
      from.map(({ ipBlock }, place) => [ipBlock, `spec.ingress[${index}].from[${place}].ipBlock`] as const),
    ),
    ...(spec?.egress ?? []).flatMap(({ to = [] }, index) =>
      to.map(({ ipBlock }, place) => [ipBlock, `spec.egress[${index}].to[${place}].ipBlock`] as const),
    ),
  ];
  return peers.flatMap(([block, path]) => (block === undefined ? [] : [[block, path] as const]));
}

function policyWarnings(policy: DeepReadonly<NetworkPolicy>): string[] {
  return blocksOf(policy).flatMap(([{ cidr, except = [] }, path]) => [
    ...cidrWarnings(cidr, `${path}.cidr`),
    ...except.flatMap((text, index) => cidrWarnings(text, `${path}.except[${index}]`)),
  ]);
}
