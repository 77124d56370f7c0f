/** Warnings about pod specs. */
import { fieldChild, fieldIndex, fieldKey, getOwn, ipWarnings, Quantity, quoteGo } from "@drover/machinery";
import type { FieldPath, ObjectMeta, QuantityValue } from "@drover/machinery";
import type { Container, ContainerPort, PersistentVolumeClaimSpec, PodSpec, PodTemplateSpec, Volume } from "@drover/api/core/v1";
import { internalEqual } from "../internal/internal-value.ts";
import { overlappingPathWarnings } from "./overlapping-paths.ts";
import { placementWarnings } from "./placement-warnings.ts";
import { appArmorPrefix, containerSeccompPrefix, podSeccompAnnotation } from "./pod-annotations.ts";
import { containersOf } from "./pod-containers.ts";
import { appArmorProfileFrom } from "./pod-preparation.ts";
import { podSpecOf } from "./pod-spec.ts";
import { pairWarnings } from "./warning-pairs.ts";
import { repeatsIn } from "../repeats.ts";

const deprecatedAnnotations: readonly (readonly [string, string])[] = [
  ["scheduler.alpha.kubernetes.io/critical-pod", 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ["security.alpha.kubernetes.io/sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
  ["security.alpha.kubernetes.io/unsafe-sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
];

const deprecatedVolumes: readonly (readonly [keyof Volume, string])[] = [
  ["photonPersistentDisk", "photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "gitRepo: deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "scaleIO: deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "flocker: deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "storageOS: deprecated in v1.22, non-functional in v1.25+"],
  ["quobyte", "quobyte: deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs: deprecated in v1.25, non-functional in v1.26+"],
  ["cephfs", "cephfs: deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "rbd: deprecated in v1.28, non-functional in v1.31+"],
];

/** Returns the warnings of a template. */
export function podTemplateWarnings(template: PodTemplateSpec | undefined, path: FieldPath): string[] {
  return template === undefined ? [] : podSpecWarnings(podSpecOf(template), template.metadata ?? {}, path);
}

/** Returns the warnings of a pod, with an empty path, or of a template. */
export function podSpecWarnings(spec: PodSpec, { annotations }: ObjectMeta, path: FieldPath): string[] {
  const specPath = fieldChild(path, "spec");
  const annotationsPath = fieldChild(path, "metadata.annotations");
  const own = annotations ?? {};
  const { terminationGracePeriodSeconds: grace = 0 } = spec;
  return [
    ...placementWarnings(spec, specPath),
    ...deprecatedAnnotations
      .filter(([key]) => Object.hasOwn(own, key))
      .map(([key, message]) => `${fieldKey(annotationsPath, key)}: ${message}`),
    ...volumeWarnings(spec.volumes, fieldChild(specPath, "volumes")),
    ...overlappingPathWarnings(spec.volumes),
    ...repetitionWarnings(spec, specPath),
    ...fractionWarnings(spec.overhead, fieldChild(specPath, "overhead"), ["memory", "ephemeral-storage"]),
    ...(spec.securityContext?.seccompProfile === undefined && Object.hasOwn(own, podSeccompAnnotation)
      ? [seccompWarning(fieldKey(annotationsPath, podSeccompAnnotation))]
      : []),
    ...containersOf(spec, specPath).flatMap(({ container, path: at }) => [
      ...profileWarnings(container, spec, own, path),
      ...containerWarnings(container, at),
    ]),
    ...portWarnings(spec, specPath),
    ...(grace < 0
      ? [`${fieldChild(specPath, "terminationGracePeriodSeconds")}: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...affinityWarnings(spec, fieldChild(specPath, "affinity")),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((server, index) =>
      ipWarnings(server, fieldIndex(fieldChild(specPath, "dnsConfig.nameservers"), index)),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, index) =>
      ipWarnings(ip, fieldChild(fieldIndex(fieldChild(specPath, "hostAliases"), index), "ip")),
    ),
  ];
}

/** Warns about fractional bytes in a claim. */
export function volumeClaimWarnings({ resources }: PersistentVolumeClaimSpec, path: FieldPath): string[] {
  return [
    ...fractionWarnings(resources?.requests, fieldChild(path, "resources.requests"), ["storage"]),
    ...fractionWarnings(resources?.limits, fieldChild(path, "resources.limits"), ["storage"]),
  ];
}

function volumeWarnings(volumes: readonly Volume[] | undefined, path: FieldPath): string[] {
  return (volumes ?? []).flatMap((volume, index) => {
    const at = fieldIndex(path, index);
    const template = volume.ephemeral?.volumeClaimTemplate;
    return [
      ...deprecatedVolumes.filter(([field]) => volume[field] !== undefined).map(([, text]) => `${at}.${text}`),
      ...(template === undefined ? [] : volumeClaimWarnings(template.spec, fieldChild(at, "ephemeral.volumeClaimTemplate.spec"))),
    ];
  });
}

function repetitionWarnings({ hostAliases, imagePullSecrets }: PodSpec, path: FieldPath): string[] {
  const repeated = (values: readonly string[], at: (index: number) => FieldPath, what: string): string[] =>
    [...repeatsIn(values)].map((index) => `${at(index)}: duplicate ${what} ${quoteGo(values[index] ?? "")}`);
  const secrets = (imagePullSecrets ?? []).map(({ name = "" }) => name);
  const secretPath = (index: number): FieldPath => fieldChild(fieldIndex(fieldChild(path, "imagePullSecrets"), index), "name");
  return [
    ...repeated(
      (hostAliases ?? []).map(({ ip }) => ip),
      (index) => fieldChild(fieldIndex(fieldChild(path, "hostAliases"), index), "ip"),
      "ip",
    ),
    ...repeated(secrets, secretPath, "name"),
    ...secrets.flatMap((name, index) => (name === "" ? [`${secretPath(index)}: invalid empty name ""`] : [])),
  ];
}

function fractionWarnings(
  amounts: Readonly<Record<string, QuantityValue>> | undefined,
  path: FieldPath,
  names: readonly string[],
): string[] {
  return names.flatMap((name) => {
    const value = getOwn(amounts ?? {}, name);
    const amount = value === undefined ? Quantity.zero : Quantity.fromJson(value);
    return amount.milliValue() % 1000n === 0n
      ? []
      : [`${fieldKey(path, name)}: fractional byte value ${quoteGo(amount.toString())} is invalid, must be an integer`];
  });
}

function seccompWarning(path: FieldPath): string {
  return `${path}: non-functional in v1.27+; use the "seccompProfile" field instead`;
}

function profileWarnings(
  { name, securityContext }: Container,
  spec: PodSpec,
  annotations: Readonly<Record<string, string>>,
  path: FieldPath,
): string[] {
  const annotationsPath = fieldChild(path, "metadata.annotations");
  const [seccomp, appArmor] = [`${containerSeccompPrefix}${name}`, `${appArmorPrefix}${name}`];
  const annotation = getOwn(annotations, appArmor);
  const podProfile = spec.securityContext?.appArmorProfile;
  // In a pod the annotation has become a field by now; see `staleAppArmorAnnotations`.
  const isStale =
    path !== "" &&
    annotation !== undefined &&
    securityContext?.appArmorProfile === undefined &&
    (podProfile === undefined || !internalEqual("*AppArmorProfile", podProfile, appArmorProfileFrom(annotation)));
  return [
    ...(securityContext?.seccompProfile === undefined && Object.hasOwn(annotations, seccomp)
      ? [seccompWarning(fieldKey(annotationsPath, seccomp))]
      : []),
    ...(isStale ? [appArmorWarning(fieldKey(annotationsPath, appArmor))] : []),
  ];
}

/** The warning about an annotation that a field replaced. */
export function appArmorWarning(path: FieldPath): string {
  return `${path}: deprecated since v1.30; use the "appArmorProfile" field instead`;
}

function containerWarnings({ resources, env }: Container, path: FieldPath): string[] {
  const [limits, requests] = [fieldChild(path, "resources.limits"), fieldChild(path, "resources.requests")];
  const seen = new Set<string>();
  return [
    ...["memory", "ephemeral-storage"].flatMap((name) => [
      ...fractionWarnings(resources?.limits, limits, [name]),
      ...fractionWarnings(resources?.requests, requests, [name]),
    ]),
    ...(env ?? []).flatMap(({ name, value = "", valueFrom }, index) => {
      const isSecond = seen.has(name);
      seen.add(name);
      const reference = `$(${name})`;
      if (!isSecond || (valueFrom === undefined && value !== reference && value.includes(reference))) return [];
      return [
        `${fieldIndex(fieldChild(path, "env"), index)}: hides previous definition of ${quoteGo(name)}, which may be dropped when using apply`,
      ];
    }),
  ];
}

function portWarnings(spec: PodSpec, path: FieldPath): string[] {
  const ports = containersOf(spec, path).flatMap(({ container, path: at }) =>
    (container.ports ?? []).map((port, index) => ({ port, at: fieldIndex(fieldChild(at, "ports"), index) })),
  );
  const clashing = pairWarnings(ports, {
    groupOf: ({ port }) => `${port.containerPort}/${port.protocol ?? ""}`,
    warn: ({ port, at }, other) => {
      const clash = portClash(port, other.port);
      return clash === undefined ? undefined : `${at}: ${clash} port definition with ${other.at}`;
    },
  });
  const clashes = ports.flatMap(({ port, at }, index) => [
    ...((port.hostIP ?? "") !== "" && (port.hostPort ?? 0) === 0 ? [`${at}: hostIP set without hostPort: ${printPort(port)}`] : []),
    ...(clashing[index] ?? []),
  ]);
  const named = new Map<string, FieldPath>();
  const names = ports.flatMap(({ port: { name = "" }, at }) => {
    const first = name === "" ? undefined : named.get(name);
    if (first === undefined) named.set(name, at);
    return first === undefined
      ? []
      : [`${at}: duplicate port name ${quoteGo(name)} with ${first}, services and probes that select ports by name will use ${first}`];
  });
  return [...clashes, ...names];
}

function portClash(a: ContainerPort, b: ContainerPort): string | undefined {
  const [hostA, hostB, ipA, ipB] = [a.hostPort ?? 0, b.hostPort ?? 0, a.hostIP ?? "", b.hostIP ?? ""];
  if (ipA === ipB && hostA === hostB) return "duplicate";
  if (hostA === 0 || hostB === 0) return "overlapping";
  return hostA === hostB && (ipA === "") !== (ipB === "") ? "dangerously ambiguous" : undefined;
}

/** As Go prints the struct. */
function printPort({ name = "", hostPort = 0, containerPort, protocol, hostIP = "" }: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol ?? ""} HostIP:${hostIP}}`;
}

function affinityWarnings({ affinity }: PodSpec, path: FieldPath): string[] {
  const warn = (at: FieldPath): string => `${at}: a null labelSelector results in matching no pod`;
  return (["podAffinity", "podAntiAffinity"] as const).flatMap((field) => {
    const [required, preferred] = [
      "requiredDuringSchedulingIgnoredDuringExecution",
      "preferredDuringSchedulingIgnoredDuringExecution",
    ] as const;
    const at = (list: string, index: number): FieldPath => fieldIndex(fieldChild(fieldChild(path, field), list), index);
    return [
      ...(affinity?.[field]?.[required] ?? []).flatMap(({ labelSelector }, index) =>
        labelSelector === undefined ? [warn(fieldChild(at(required, index), "labelSelector"))] : [],
      ),
      ...(affinity?.[field]?.[preferred] ?? []).flatMap(({ podAffinityTerm }, index) =>
        podAffinityTerm.labelSelector === undefined ? [warn(fieldChild(at(preferred, index), "podAffinityTerm.labelSelector"))] : [],
      ),
    ];
  });
}
