/** Questions about strategic merge patches whose answers are recorded: one per directive, ordering rule and message. */
import type { JsonObject, JsonValue } from "@drover/machinery";

/** Asks for the object after a patch. */
export interface ApplyQuestion {
  readonly kind: string;
  readonly original: JsonObject;
  readonly patch: JsonObject;
}

/** Asks for the patch between two objects. */
export interface DiffQuestion {
  readonly kind: string;
  readonly original: JsonObject;
  readonly modified: JsonObject;
  readonly unchanged?: readonly string[];
}

/** Asks for the patch that carries an edit over to the current object. */
export interface ThreeWayQuestion extends DiffQuestion {
  readonly current: JsonObject;
  readonly overwrite: boolean;
}

const named = (...names: string[]): JsonObject[] => names.map((name) => ({ name }));
const list = (...names: string[]): JsonObject => ({ merging: named(...names) });
const words = (...items: string[]): JsonObject => ({ words: items });
const order = (...names: string[]): JsonObject => ({ "$setElementOrder/merging": named(...names) });
const pod = (spec: JsonObject): JsonObject => ({ spec });
const sample = (original: JsonObject, ...patches: JsonObject[]): ApplyQuestion[] => patches.map((patch) => ({ kind: "Sample", original, patch }));
const web: JsonObject = { name: "web", image: "web:1", command: ["a"], env: [{ name: "A", value: "1" }, { name: "B", value: "2" }], ports: [{ containerPort: 80, protocol: "TCP" }, { containerPort: 81 }], volumeMounts: [{ mountPath: "/x", name: "x" }] };
const volumes: JsonValue[] = [{ name: "v", emptyDir: {} }, { name: "w", hostPath: { path: "/w" } }];

/** Patches to apply. */
export const applyTable: readonly ApplyQuestion[] = [
  ...sample({ name: "n", simple: { a: "1", b: "2" }, nested: { value: "x" } },
    {}, { name: null }, { name: "m" }, { simple: { a: null, c: "3" } }, { nested: null }, { nested: { name: "y", value: null } }, { value: null }, { retained: { name: null, value: "v", nested: { name: null } } }, { nested: "odd" }, { nested: [] },
    { bogus: { a: { b: null, c: [{ d: null, $patch: "delete" }, { e: null }] } } }, { bogus: { $patch: "delete" } }, { nested: { $patch: "delete" } }, { nested: { $patch: "replace", name: "only", value: null } }, { $patch: "replace", value: "all" }, { $patch: "delete", value: "none" },
    { $patch: "merge" }, { $patch: "zap", name: "z", number: 5 }, { $patch: 5 }, { $patch: null }, { $patch: true }, { nested: { $patch: "zap" } }, { ["__proto__"]: { polluted: true } }, { constructor: { prototype: { polluted: true } } }),
  ...sample({ bogus: { a: 1 }, list: [1], simple: { a: { b: 1 } as JsonValue } }, { bogus: { b: 2 } }, { list: [2] }, { bogus: 1 }, { list: null }, { simple: { a: { c: 2 } } }),
  ...sample({ NAME: "x", Nested: { value: "x" } }, { Nested: { name: "y" } }),
  ...sample({ replaced: { name: "a", value: "b" }, retained: { name: "a", value: "b", simple: { x: "1" } } },
    { replaced: { name: "c" } }, { replaced: { value: null, name: "d" } }, { replaced: { $patch: "delete" } }, { retained: { $retainKeys: ["name"], name: "c" } }, { retained: { $retainKeys: ["name", "value"], name: null } }, { retained: { $retainKeys: ["name"], value: "c" } },
    { retained: { $retainKeys: ["simple"], simple: { y: "2" } } }, { retained: { $retainKeys: [] } }, { retained: { $retainKeys: "name" } }, { retained: { $retainKeys: ["words"], words: ["a"], "$setElementOrder/words": ["a"], "$deleteFromPrimitiveList/words": ["b"] } }, { replaced: { $retainKeys: ["name"] } }, { nested: { $retainKeys: ["name"], name: "new" } }),
  ...sample(list("a", "b", "c"),
    list("d"), list("c"), list("d", "b"), list("b", "d"), list("c", "a"), list("d", "c", "e", "a"), { merging: [{ name: "b", value: "x" }] }, { merging: [{ name: "b", value: null }] }, { merging: [{ name: "d", value: null, nested: { name: null, merging: [{ name: "x", $patch: "delete" }] } }] },
    { merging: [{ $patch: "delete", name: "b" }] }, { merging: [{ $patch: "delete", name: "b" }, { name: "d" }] }, { merging: [{ name: "b" }, { $patch: "delete", name: "b" }] }, { merging: [{ $patch: "delete", name: "z" }] }, { merging: [{ $patch: "replace" }] }, { merging: [{ $patch: "replace" }, { name: "z" }, { name: "y" }] },
    { merging: [{ name: "z" }, { $patch: "replace" }, { $patch: "delete", name: "a" }] }, { merging: [{ $patch: "merge" }] }, { merging: [{ $patch: "zap", name: "b" }] }, { merging: [{ $patch: 1 }] }, { merging: [{ $patch: "delete" }] }, { merging: [{ value: "x", number: 3, nested: { words: ["a", "b"] }, simple: {} }] }, { merging: [] }, { merging: null }, { merging: "odd" }, { merging: ["a"] }, { merging: [["a"]] }, { merging: [{ name: null }] },
    { merging: [{ name: "d" }, { name: "d", value: "twice" }] }, { merging: [{ name: "a" }, { name: "a", value: "twice" }] }),
  ...sample(list("a", "b", "c"),
    order("c", "b", "a"), order("c", "a"), order("b"), order(), order("z"), { ...order("d", "a"), ...list("d") }, { ...order("a", "d", "c"), ...list("d", "c") }, { ...order("d"), ...list("d", "e") }, { ...order("d", "e"), ...list("e", "d") }, { ...order(), ...list("d", "e") },
    { ...order("c", "d"), merging: [{ name: "d" }, { $patch: "delete", name: "b" }] }, { ...order("d"), merging: [{ name: "d" }, { $patch: "delete", name: "b" }] }, { ...order("d"), merging: [{ name: "d" }, { $patch: "delete", name: "c" }] }, { ...order("b"), merging: [{ name: "b" }, { $patch: "delete", name: "b" }] }, { ...order("e", "d"), merging: [{ $patch: "delete", name: "a" }, { $patch: "delete", name: "c" }, { name: "e" }, { name: "d" }] },
    { ...order("z"), merging: [{ $patch: "replace" }, { name: "z" }] }, { ...order("z", "a"), merging: [{ name: "z" }, { $patch: "replace" }, { name: "a" }] }, { ...order("z"), merging: [{ name: "z" }, { $patch: "replace" }] }, { "$setElementOrder/merging": "odd" }, { "$setElementOrder/merging": null }, { "$setElementOrder/merging": ["a"] }, { "$setElementOrder/merging": [{ value: "a" }] }, { "$setElementOrder/merging": [{ name: "a" }, "a"], merging: [{ name: "a" }] },
    { "$setElementOrder/merging": [{ name: "a" }, "a"] }, { "$setElementOrder": [] }, { $setElementOrderX: [] }, { "$setElementOrder/": [] }, { "$setElementOrder/bogus": [] }, { "$setElementOrder/simple": [] }, { ...order("a"), merging: "odd" }, { ...order("a"), merging: null }, { ...order("a"), merging: ["a"] }, { ...order("a"), merging: [{ value: "no key" }] }),
  ...sample({}, { ...order("b", "a"), ...list("b", "a") }, { ...order("b"), ...list("b", "a") }, { ...order(), ...list("b", "a", "c") }, { ...order("a"), merging: [{ name: "a", value: null }, { $patch: "delete", name: "b" }] }, order("a"), { merging: [{ $patch: "delete", name: "a" }, { name: "b" }] }, { merging: [{ $patch: "replace" }, { name: "b" }] }, { "$deleteFromPrimitiveList/words": ["a"] }, { ...order(), merging: [] }),
  ...sample({ merging: [] }, order("a"), { ...order("a"), merging: [] }, { merging: [] }, list("a"), { ...order("a"), ...list("a") }),
  ...sample({ merging: [{ value: "no key" }] }, list("a"), { merging: [{ $patch: "delete", name: "a" }] }, order("a")),
  ...sample({ merging: [{ name: "a", value: "1" }, { name: "a", value: "2" }, { name: "b" }] }, { merging: [{ name: "a", number: 1 }] }, { merging: [{ $patch: "delete", name: "a" }] }, order("b", "a"), { ...order("b", "c"), merging: [{ $patch: "delete", name: "a" }, { name: "c" }] }),
  ...sample({ byNumber: [{ number: 80 }, { number: 9 }] }, { byNumber: [{ number: 9, value: "x" }, { number: 100 }] }, { byNumber: [{ number: 80, $patch: "delete" }] }, { "$setElementOrder/byNumber": [{ number: 9 }, { number: 80 }] }, { byNumber: [{ number: "80" }] }),
  ...sample({ atomic: [{ name: "a" }], keylessMerging: [{ name: "a" }] }, { atomic: [{ name: "b", value: null, $patch: "delete" }] }, { atomic: [] }, { keylessMerging: [{ name: "b" }] }, { keylessMerging: [] }, { "$setElementOrder/atomic": [{ name: "a" }] }, { "$setElementOrder/keylessMerging": [{ name: "a" }] }, { "$deleteFromPrimitiveList/atomic": ["a"] }),
  ...sample({ mergingRetain: [{ name: "a", value: "x", simple: { x: "1" } }] }, { mergingRetain: [{ name: "a", $retainKeys: ["name", "number"], number: 1 }] }, { mergingRetain: [{ name: "a", $retainKeys: ["number"], number: 1 }] }, { mergingRetain: [{ name: "b", $retainKeys: ["name"] }] }),
  ...sample(words("a", "b", "c"),
    words("d"), words("d", "b"), words("b", "d"), words("c", "a"), words("d", "d"), words(), { words: null }, { "$deleteFromPrimitiveList/words": ["b"] }, { "$deleteFromPrimitiveList/words": ["b", "z"], ...words("d") }, { "$deleteFromPrimitiveList/words": [] }, { "$deleteFromPrimitiveList/words": null }, { "$deleteFromPrimitiveList/words": "b" }, { "$deleteFromPrimitiveList/name": "b" }, { $deleteFromPrimitiveList: ["b"] }, { $deleteFromPrimitiveListX: ["b"] }, { "$deleteFromPrimitiveList/": ["b"] },
    { "$deleteFromPrimitiveList/bogus": ["b"] }, { "$setElementOrder/words": ["c", "a"] }, { "$setElementOrder/words": ["d", "a"], ...words("d") }, { "$setElementOrder/words": ["d"], ...words("d", "e") }, { "$setElementOrder/words": [], ...words("d", "e") }, { "$setElementOrder/words": ["d", "c"], "$deleteFromPrimitiveList/words": ["b", "c"], ...words("d") }, { words: [1] }, { words: [null, "a"] as JsonValue[] }, { words: ["a", {}] as JsonValue[] }, { words: [{}] as JsonValue[] }, { words: [["a"]] }),
  ...sample({ numbers: [10, 9, 1] }, { numbers: [2] }, { numbers: [9, 2] }, { numbers: [1.5] }, { "$deleteFromPrimitiveList/numbers": [9] }),
  ...sample({ name: "x", numbers: [] }, { "$deleteFromPrimitiveList/name": "y" }, { "$deleteFromPrimitiveList/name": 5 }, { "$deleteFromPrimitiveList/numbers": [] }, { "$deleteFromPrimitiveList/numbers": [1] }),
  ...[
    { containers: [{ name: "web", image: "web:2" }] }, { containers: [{ name: "sidecar", image: "s" }] }, { containers: [{ image: "x" }] }, { containers: [{ name: "web", command: ["b", "c"], env: [{ name: "B", value: "3" }, { name: "C", value: "4" }], ports: [{ containerPort: 81, name: "admin" }, { containerPort: 82 }] }] },
    { containers: [{ name: "web", env: [{ name: "A", $patch: "delete" }], "$setElementOrder/env": [{ name: "B" }], volumeMounts: [{ mountPath: "/y", name: "y" }] }], "$setElementOrder/containers": [{ name: "web" }] }, { containers: [{ $patch: "delete", name: "web" }] }, { containers: [{ $patch: "replace" }, { name: "other", image: "o" }] },
    { volumes: [{ name: "v", $retainKeys: ["name", "configMap"], configMap: { name: "c" } }] }, { volumes: [{ name: "v", configMap: { name: "c" } }] }, { tolerations: [{ key: "b" }] }, { nodeSelector: { a: null, b: "2" } }, { nodeSelector: { $patch: "replace", c: "3" } }, { imagePullSecrets: [{ name: "t" }] }, { hostAliases: [{ ip: "1.1.1.1", hostnames: ["b"] }] }, { bogus: { x: 1 } }, { securityContext: { runAsUser: 1, $patch: "replace" } },
  ].map((spec: JsonObject): ApplyQuestion => ({ kind: "Pod", original: pod({ containers: [web, { name: "log", image: "log:1" }], volumes, tolerations: [{ key: "a" }], nodeSelector: { a: "1" }, imagePullSecrets: [{ name: "s" }], hostAliases: [{ ip: "1.1.1.1", hostnames: ["a"] }], securityContext: { runAsUser: 2, fsGroup: 3 } }), patch: pod(spec) })),
  ...[
    { finalizers: ["c"] }, { "$deleteFromPrimitiveList/finalizers": ["a"] }, { "$setElementOrder/finalizers": ["b", "c"], finalizers: ["c"], "$deleteFromPrimitiveList/finalizers": ["a"] }, { labels: { x: null, y: "2" } }, { labels: null }, { labels: { $patch: "delete" } }, { ownerReferences: [{ uid: "1", name: "renamed" }, { uid: "2" }] }, { ownerReferences: [{ uid: "1", $patch: "delete" }] }, { labels: { x: { y: "z" } } },
  ].map((metadata: JsonObject): ApplyQuestion => ({ kind: "Pod", original: { metadata: { finalizers: ["a", "b"], labels: { x: "1" }, ownerReferences: [{ uid: "1", name: "n" }] } }, patch: { metadata } })),
  ...[{ strategy: { type: "Recreate" } }, { strategy: { type: "Recreate", $retainKeys: ["type"] } }, { strategy: { rollingUpdate: { maxSurge: "50%" }, $retainKeys: ["rollingUpdate", "type"] } }, { strategy: { $retainKeys: ["type"], rollingUpdate: null, type: "Recreate" } }, { template: { spec: { containers: [{ name: "web", image: "2" }] } } }, { selector: { matchLabels: { a: null } } }]
    .map((spec: JsonObject): ApplyQuestion => ({ kind: "Deployment", original: { spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }, template: { spec: { containers: [web] } }, selector: { matchLabels: { a: "1" } } } }, patch: { spec } })),
  ...[{ ports: [{ port: 80, targetPort: 8080 }] }, { ports: [{ port: 443, name: "https" }] }, { ports: [{ port: 80, $patch: "delete" }] }, { ports: [{ port: 443 }], "$setElementOrder/ports": [{ port: 81 }, { port: 443 }, { port: 80 }] }, { ports: [{ name: "http", targetPort: 1 }] }, { clusterIPs: ["b"] }]
    .map((spec: JsonObject): ApplyQuestion => ({ kind: "Service", original: { spec: { ports: [{ port: 80, name: "http" }, { port: 81, name: "x" }], clusterIPs: ["a"] } }, patch: { spec } })),
  { kind: "PodDisruptionBudget", original: { spec: { selector: { matchLabels: { a: "1" } }, minAvailable: 1 } }, patch: { spec: { selector: { matchLabels: { b: "2" } }, minAvailable: "50%" } } },
];

const pairs: readonly (readonly [JsonObject, JsonObject])[] = [
  [{}, {}], [{ name: "a" }, { name: "a" }], [{ name: "a" }, { name: "b" }], [{ name: "a" }, {}], [{}, { name: "a" }], [{ name: "a" }, { name: null }], [{ name: null }, { name: "a" }], [{ name: "a", value: "b" }, { name: "a" }], [{ nested: { name: "a" } }, { nested: {} }], [{ nested: { name: "a" } }, { nested: "odd" }], [{ simple: { a: "1" } }, { simple: { b: "1" } }],
  [{ bogus: { a: 1 } }, { bogus: { a: 1 } }], [{ bogus: { a: 1 } }, { bogus: { a: 2 } }], [{ bogus: [1] }, { bogus: [1] }], [{ bogus: [1] }, { bogus: [2] }], [{ bogus: 1 }, { bogus: 2 }], [{ $patch: "a" }, { $patch: "a" }], [{ $patch: "a" }, { $patch: "b" }], [{ $patch: 1 }, { $patch: "b" }], [{ $patch: "a" }, { $patch: 1 }],
  [{ replaced: { name: "a" } }, { replaced: { name: "a" } }], [{ replaced: { name: "a", value: "v" } }, { replaced: { name: "b" } }], [{ retained: { name: "a", value: "v" } }, { retained: { name: "a" } }], [{ retained: { name: "a" } }, { retained: { name: "b", value: "v", simple: {} } }], [{ retained: { name: "a" } }, { retained: { name: "a" } }], [{ retained: { name: "a" } }, { retained: {} }], [{ retained: { name: "a", value: null } }, { retained: { name: "a" } }], [{ retained: { name: "a" } }, { retained: { name: null, value: "v" } }],
  [list("a", "b"), list("a", "b")], [list("a", "b"), list("b", "a")], [list("a", "b"), list("a")], [list("a"), list("a", "b")], [list("b"), list("a", "b")], [list("a", "b"), list("c")], [list("a"), { merging: [] }], [{ merging: [] }, list("a")], [list(), list()], [list("a"), {}], [{ merging: [{ name: "a", value: "1" }, { name: "b" }] }, { merging: [{ name: "b" }, { name: "a", value: "2" }] }], [list("é", "Z", "a"), list("a", "😀", "\uffff", "é")],
  [{ merging: [{ value: "x" }] }, list("a")], [list("a"), { merging: [{ value: "x" }] }], [list("a"), { merging: ["a"] }], [{ merging: [["a"]] }, { merging: [["b"]] }], [{ byNumber: [{ number: 9 }, { number: 10 }] }, { byNumber: [{ number: 10, value: "x" }, { number: 2 }] }], [{ keylessMerging: [{ name: "a" }] }, { keylessMerging: [{ name: "b" }] }], [{ atomic: [{ name: "a" }] }, { atomic: [{ name: "a", value: null }] }],
  [{ mergingRetain: [{ name: "a", value: "v" }, { name: "b" }] }, { mergingRetain: [{ name: "a", number: 1 }, { name: "b" }] }], [{ mergingRetain: [{ name: "a", value: "v" }] }, { mergingRetain: [{ name: "a" }] }],
  [words("a", "b"), words("a", "b")], [words("b", "a"), words("b", "a")], [words("b", "a"), words("a", "b")], [words("a", "b"), words("b", "a")], [words("a", "b"), words("a")], [words("a"), words("b", "a")], [words("a", "b", "c"), words("d", "c")], [words("a"), words()], [words(), words("a")], [words("a", "a"), words("a")], [words("a", "a", "b", "b", "c", "d"), words("e")], [{ numbers: [9, 10] }, { numbers: [10, 2] }], [{ numbers: [1] }, { numbers: ["1"] }], [{ atomicWords: ["a"] }, { atomicWords: ["a", "b"] }],
];

/** Objects to find the patch between. */
export const diffTable: readonly DiffQuestion[] = [
  ...pairs.map(([original, modified]): DiffQuestion => ({ kind: "Sample", original, modified })),
  { kind: "Sample", original: { name: "a" }, modified: { name: "b" }, unchanged: ["name"] }, { kind: "Sample", original: { name: "a" }, modified: { name: "a" }, unchanged: ["name"] },
  { kind: "Pod", original: { metadata: { name: "a" } }, modified: { metadata: { name: "b", labels: { x: "1" } } }, unchanged: ["name"] },
  { kind: "Pod", original: pod({ containers: [web], volumes }), modified: pod({ containers: [{ ...web, image: "web:2", env: [{ name: "B", value: "2" }] }, { name: "log" }], volumes: [{ name: "v", configMap: { name: "c" } }, { name: "w", hostPath: { path: "/w" } }] }) },
  { kind: "Deployment", original: { spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } } }, modified: { spec: { strategy: { type: "Recreate" } } } },
  { kind: "Service", original: { spec: { ports: [{ port: 80 }, { port: 443 }] } }, modified: { spec: { ports: [{ port: 443, name: "s" }, { port: 8080 }] } } },
];

const states: readonly (readonly [JsonObject, JsonObject, JsonObject])[] = [
  [{}, {}, {}], [{ name: "a", value: "v" }, { name: "a" }, { name: "x", value: "v", number: 1 }], [{}, { name: "a" }, { name: "a" }], [{}, { name: "a" }, { name: "b" }], [{ name: "a" }, { name: "b" }, { name: "c" }], [{ name: "a" }, {}, { name: "c" }], [{ name: "a" }, { name: null }, { name: "a" }],
  [{ nested: { name: "a", value: "v" } }, { nested: { name: "a" } }, { nested: { name: "a", value: "w", number: 1 } }], [{ retained: { name: "a", value: "v" } }, { retained: { name: "b" } }, { retained: { name: "a", value: "v", number: 1 } }], [{ retained: { name: "a" } }, { retained: { name: "a" } }, { retained: { name: "a", value: "v" } }], [{ replaced: { name: "a" } }, { replaced: { name: "b" } }, { replaced: { name: "c" } }],
  [list("a", "b"), list("a"), list("a", "b", "c")], [list("a"), list("a", "b"), list("c", "a")], [list("a", "b"), list("b", "a"), list("a", "b")], [list("a", "b", "c"), list("d", "a"), list("c", "x", "b", "a")], [list("a"), {}, list("a", "b")], [list("a"), { merging: [] }, list("a", "b")], [{ merging: [{ name: "a", value: "1" }] }, { merging: [{ name: "a", value: "2" }] }, { merging: [{ name: "a", value: "3" }] }], [{ merging: [{ name: "a", value: "1" }] }, { merging: [{ name: "a" }] }, { merging: [{ name: "a", value: "3" }] }], [list("a"), {}, list()],
  [{ mergingRetain: [{ name: "a", value: "v" }] }, { mergingRetain: [{ name: "a", number: 1 }] }, { mergingRetain: [{ name: "a", value: "w" }, { name: "b" }] }],
  [words("a", "b"), words("a"), words("a", "b", "c")], [words("a"), words("b", "a"), words("c", "a")], [words("b", "a"), words("b", "a"), words("b", "a")], [words("a", "b"), words("c"), words("b", "d")], [words("a"), {}, words("a", "b")], [words("a"), words(), words("b")], [{ atomicWords: ["a"] }, { atomicWords: ["b"] }, { atomicWords: ["c"] }], [{ atomicWords: ["a"] }, { atomicWords: ["b", "c"] }, { atomicWords: ["c", "b"] }], [{ atomic: [{ name: "a" }] }, { atomic: [{ name: "b" }] }, { atomic: [{ name: "c" }] }],
];

/** Three states to find the patch for. */
export const threeWayTable: readonly ThreeWayQuestion[] = [
  ...states.flatMap(([original, modified, current]) => [true, false].map((overwrite): ThreeWayQuestion => ({ kind: "Sample", original, modified, current, overwrite }))),
  { kind: "Sample", original: { name: "a" }, modified: { name: "b" }, current: { name: "a" }, overwrite: true, unchanged: ["name"] },
  { kind: "Deployment", original: { spec: { replicas: 1, strategy: { type: "RollingUpdate" } } }, modified: { spec: { strategy: { type: "Recreate" } } }, current: { spec: { replicas: 3, strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } } }, overwrite: true },
  { kind: "Pod", original: pod({ containers: [web] }), modified: pod({ containers: [{ name: "web", image: "web:2" }] }), current: pod({ containers: [{ ...web, imagePullPolicy: "Always" }, { name: "injected" }] }), overwrite: true },
];
