/** Validates probes and lifecycle hooks. */
import { checkHttpHeaderName, fieldChild, fieldForbidden, fieldInvalid, fieldRequired } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { Container, GRPCAction, HTTPGetAction, Lifecycle, LifecycleHandler, Probe } from "@drover/api/core/v1";
import { problemsOf, validateNonNegative, validateOptionalChoice, validatePort } from "../checked-field.ts";

/** The handlers of probes and hooks. */
interface Handler extends LifecycleHandler {
  grpc?: GRPCAction;
}

/** Validates the probes and hooks of a long-running container; `graceSeconds` is the pod's termination grace period. */
export function validateCare(container: Container, path: FieldPath, graceSeconds: number | undefined): FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  const readinessPath = fieldChild(path, "readinessProbe");
  const graceOfReadiness = readinessProbe?.terminationGracePeriodSeconds;
  return [
    ...(lifecycle === undefined ? [] : validateLifecycle(lifecycle, fieldChild(path, "lifecycle"), graceSeconds)),
    ...validateOnceProbe(livenessProbe, fieldChild(path, "livenessProbe")),
    ...(readinessProbe === undefined ? [] : validateProbe(readinessProbe, readinessPath)),
    ...(graceOfReadiness === undefined
      ? []
      : [
          fieldInvalid(fieldChild(readinessPath, "terminationGracePeriodSeconds"), graceOfReadiness, "must not be set for readinessProbes"),
        ]),
    ...validateOnceProbe(startupProbe, fieldChild(path, "startupProbe")),
  ];
}

function validateLifecycle({ postStart, preStop }: Lifecycle, path: FieldPath, graceSeconds: number | undefined): FieldError[] {
  return [
    ...(postStart === undefined ? [] : validateHandler(postStart, fieldChild(path, "postStart"), graceSeconds)),
    ...(preStop === undefined ? [] : validateHandler(preStop, fieldChild(path, "preStop"), graceSeconds)),
  ];
}

/** A probe whose successThreshold must be 1. */
function validateOnceProbe(probe: Probe | undefined, path: FieldPath): FieldError[] {
  if (probe === undefined) return [];
  const { successThreshold = 0 } = probe;
  return [
    ...validateProbe(probe, path),
    ...(successThreshold === 1 ? [] : [fieldInvalid(fieldChild(path, "successThreshold"), successThreshold, "must be 1")]),
  ];
}

function validateProbe(probe: Probe, path: FieldPath): FieldError[] {
  const { terminationGracePeriodSeconds: grace } = probe;
  const counts = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"] as const;
  return [
    ...validateHandler(probe, path, undefined),
    ...counts.flatMap((field) => validateNonNegative(probe[field], fieldChild(path, field))),
    ...(grace !== undefined && grace <= 0
      ? [fieldInvalid(fieldChild(path, "terminationGracePeriodSeconds"), grace, "must be greater than 0")]
      : []),
  ];
}

function validateHandler(handler: Handler, path: FieldPath, graceSeconds: number | undefined): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  const actions: (readonly [string, (at: FieldPath) => FieldError[]])[] = [];
  if (exec !== undefined)
    actions.push(["exec", (at) => ((exec.command ?? []).length === 0 ? [fieldRequired(fieldChild(at, "command"))] : [])]);
  if (httpGet !== undefined) actions.push(["httpGet", (at) => validateHttpGet(httpGet, at)]);
  if (tcpSocket !== undefined) actions.push(["tcpSocket", (at) => validatePort(tcpSocket.port, fieldChild(at, "port"))]);
  if (grpc !== undefined) actions.push(["grpc", (at) => validatePort(grpc.port, fieldChild(at, "port"))]);
  if (sleep !== undefined) actions.push(["sleep", (at) => validateSleep(sleep.seconds, at, graceSeconds)]);
  if (actions.length === 0) return [fieldRequired(path, "must specify a handler type")];
  return actions.flatMap(([name, validate], index) =>
    index === 0 ? validate(fieldChild(path, name)) : [fieldForbidden(fieldChild(path, name), "may not specify more than 1 handler type")],
  );
}

function validateHttpGet({ path: target = "", port, scheme, httpHeaders }: HTTPGetAction, path: FieldPath): FieldError[] {
  return [
    ...(target === "" ? [fieldRequired(fieldChild(path, "path"))] : []),
    ...validatePort(port, fieldChild(path, "port")),
    ...validateOptionalChoice(scheme ?? "", fieldChild(path, "scheme"), ["HTTP", "HTTPS"]),
    ...(httpHeaders ?? []).flatMap(({ name }) => problemsOf(fieldChild(path, "httpHeaders"), name, checkHttpHeaderName(name))),
  ];
}

function validateSleep(seconds: number, path: FieldPath, graceSeconds: number | undefined): FieldError[] {
  if (graceSeconds === undefined || (seconds >= 0 && seconds <= graceSeconds)) return [];
  return [fieldInvalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`)];
}
