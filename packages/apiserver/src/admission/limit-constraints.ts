/** What a LimitRange demands of containers, pods and claims, in the words of kube-apiserver. */
import { aggregateRequests, amountsOf } from "@drover/api/quota";
import type { Amounts, RequirementField } from "@drover/api/quota";
import type { LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from "@drover/api/core/v1";
import { compareBytes, formatGoFixed, Quantity } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** Requests and limits of one container, pod or claim. */
interface Asked {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

type Constraint = (type: string, name: string, enforced: Quantity, asked: Asked) => string | undefined;

/** Above it, kube-apiserver compares whole units, because thousandths would overflow. */
const milliValueMax = (2n ** 63n - 1n) / 1000n;

/** Returns the limits of a range; one without limits is stored with null. */
export const limitsOf = ({ spec }: DeepReadonly<LimitRange>): readonly DeepReadonly<LimitRangeItem>[] => spec?.limits ?? [];

/** Returns what is wrong with a pod, in the order of the range. */
export function podViolations(range: DeepReadonly<LimitRange>, pod: DeepReadonly<Pod>): string[] {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  return limitsOf(range).flatMap((item) => {
    if (item.type === "Container")
      return [...containers, ...initContainers].flatMap(({ resources }) =>
        violations(item, { requests: amountsOf(resources?.requests), limits: amountsOf(resources?.limits) }),
      );
    return item.type === "Pod" ? violations(item, { requests: podAmounts(pod, "requests"), limits: podAmounts(pod, "limits") }) : [];
  });
}

/** Returns what is wrong with a claim: only requests count. */
export function claimViolations(range: DeepReadonly<LimitRange>, { spec }: DeepReadonly<PersistentVolumeClaim>): string[] {
  const asked: Asked = { requests: amountsOf(spec?.resources?.requests), limits: new Map() };
  return limitsOf(range)
    .filter(({ type }) => type === "PersistentVolumeClaim")
    .flatMap(({ type, min, max }) => [...each(type, min, asked, tooLittle), ...each(type, max, asked, tooMuchRequested)]);
}

/** Unlike in quotas, neither overhead nor what a kubelet has allocated counts, and huge pages of a pod do not either. */
function podAmounts({ spec }: DeepReadonly<Pod>, field: RequirementField): Amounts {
  const total = aggregateRequests(spec ?? { containers: [] }, field);
  for (const [name, amount] of amountsOf(spec?.resources?.[field])) if (name === "cpu" || name === "memory") total.set(name, amount);
  return total;
}

const violations = ({ type, min, max, maxLimitRequestRatio }: DeepReadonly<LimitRangeItem>, asked: Asked): string[] => [
  ...each(type, min, asked, tooLittle),
  ...each(type, max, asked, tooMuch),
  ...each(type, maxLimitRequestRatio, asked, tooFarApart),
];

/** kube-apiserver has no order here; ours is by name. */
function each(type: string, list: DeepReadonly<LimitRangeItem["min"]>, asked: Asked, violation: Constraint): string[] {
  return [...amountsOf(list)]
    .toSorted(([a], [b]) => compareBytes(a, b))
    .flatMap(([name, enforced]) => violation(type, name, enforced, asked) ?? []);
}

const tooLittle: Constraint = (type, name, enforced, { requests, limits }) => {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const start = `minimum ${name} usage per ${type} is ${enforced.toString()}`;
  if (request === undefined) return `${start}.  No request is specified`;
  const comparable = inOneUnit(request, limit, enforced);
  if (comparable.request < comparable.enforced) return `${start}, but request is ${request.toString()}`;
  return limit !== undefined && comparable.limit < comparable.enforced ? `${start}, but limit is ${limit.toString()}` : undefined;
};

const tooMuch: Constraint = (type, name, enforced, { requests, limits }) => {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const start = `maximum ${name} usage per ${type} is ${enforced.toString()}`;
  if (limit === undefined) return `${start}.  No limit is specified`;
  const comparable = inOneUnit(request, limit, enforced);
  if (comparable.limit > comparable.enforced) return `${start}, but limit is ${limit.toString()}`;
  return request !== undefined && comparable.request > comparable.enforced ? `${start}, but request is ${request.toString()}` : undefined;
};

const tooMuchRequested: Constraint = (type, name, enforced, { requests }) => {
  const request = requests.get(name);
  const start = `maximum ${name} usage per ${type} is ${enforced.toString()}`;
  if (request === undefined) return `${start}.  No request is specified`;
  const comparable = inOneUnit(request, undefined, enforced);
  return comparable.request > comparable.enforced ? `${start}, but request is ${request.toString()}` : undefined;
};

const tooFarApart: Constraint = (type, name, enforced, { requests, limits }) => {
  const comparable = inOneUnit(requests.get(name), limits.get(name), enforced);
  const start = `${name} max limit to request ratio per ${type} is ${enforced.toString()}`;
  if (comparable.request === 0n) return `${start}, but no request is specified or request is 0`;
  if (comparable.limit === 0n) return `${start}, but no limit is specified or limit is 0`;
  const ratio = Number(comparable.limit) / Number(comparable.request);
  const isFine = enforced.value() <= milliValueMax;
  const isTooFar = isFine ? ratio * 1000 > Number(enforced.milliValue()) : ratio > Number(enforced.value());
  return isTooFar ? `${start}, but provided ratio is ${formatGoFixed(ratio)}` : undefined;
};

interface Comparable {
  readonly request: bigint;
  readonly limit: bigint;
  readonly enforced: bigint;
}

function inOneUnit(request: Quantity = Quantity.zero, limit: Quantity = Quantity.zero, enforced: Quantity = Quantity.zero): Comparable {
  const isFine = [request, limit, enforced].every((amount) => amount.value() <= milliValueMax);
  const read = (amount: Quantity): bigint => (isFine ? amount.milliValue() : amount.value());
  return { request: read(request), limit: read(limit), enforced: read(enforced) };
}
