/** CEL expressions in CRDs, admission policies and match conditions: nested macros, regular expressions, large literals, nonsense. */
import { readCorpus } from "./corpus-texts.ts";
import type { Draw } from "./draw.ts";
import { bytesOf, hostileNamespace, names } from "./hostile-request.ts";
import type { FramedRequest } from "./hostile-request.ts";
import { queryText } from "./request-paths.ts";

const tokens: readonly string[] = [
  [
    "self.",
    "oldSelf.",
    "object.",
    "oldObject.",
    "request.",
    "authorizer.",
    "variables.",
    ".all(x, ",
    ".exists(x, ",
    ".map(x, ",
    ".filter(x, ",
    "has(",
    ".size()",
  ],
  [
    ".matches('",
    "==",
    "!=",
    "in",
    "&&",
    "||",
    "? a : b",
    "[?0]",
    ".?a",
    "optional.of(",
    "quantity('1')",
    "url('",
    "ip('",
    "cidr('",
    "duration('",
    "timestamp('",
    "dyn(",
  ],
].flat();
const corpus = readCorpus("cel");

/** What the variables of a rule are called. */
type Variables = readonly string[];
const ofSchema: Variables = ["self.name", "self.count", "self.tags", "self.labels", "self.parts", "self.free", "self", "oldSelf.count"];
const ofAdmission: Variables = [
  [
    "object.data",
    "object.metadata.name",
    "object.metadata.labels",
    "oldObject",
    "request.userInfo.groups",
    "request.operation",
    "namespaceObject.metadata.name",
  ],
  [
    "variables.v",
    "params.data",
    "authorizer.group('').resource('pods').namespace('a').check('get').allowed()",
    "authorizer.path('/healthz').check('get').reason()",
  ],
].flat();

export function expression(draw: Draw, variables: Variables): string {
  const text = draw.oneIn(6) ? Buffer.from(draw.of(corpus)).toString("utf8") : term(draw, variables, 0);
  return draw.oneIn(5) ? Buffer.from(draw.mutated(bytesOf(text), tokens, draw.of(corpus))).toString("utf8") : text;
}

const regexes: readonly string[] = [
  "^(a+)+$",
  "(a|aa)*b",
  "a{1000}",
  "(a{500}){500}",
  "((((a*)*)*)*)*",
  "[",
  "(?=a)",
  "\\\\pL+",
  "(?i)x",
  ".*.*.*.*=.*",
  "\\\\x{10FFFF}",
  "x".repeat(2000),
];
const literals: readonly string[] = [
  [
    "0",
    "-1",
    "1u",
    "9223372036854775807",
    "9223372036854775808",
    "1e308",
    "1.5",
    "true",
    "null",
    "'a'",
    "b'\\\\xff'",
    "'\\\\u0000'",
    "''",
    "[]",
    "{}",
    "[1, 2, 3]",
  ],
  [
    "{'a': 1, 'b': [2]}",
    "duration('1h')",
    "timestamp('2024-01-01T00:00:00Z')",
    "quantity('1e999999999')",
    "semver('1.2.3')",
    "type(1)",
    "optional.none()",
  ],
].flat();

function term(draw: Draw, variables: Variables, depth: number): string {
  const inner = (): string => term(draw, variables, depth + 1);
  if (depth > 5) return draw.oneIn(2) ? draw.of(variables) : draw.of(literals);
  return draw.rule<string>([
    () => draw.of(variables),
    () => draw.of(variables),
    () => draw.of(literals),
    () => `${inner()} ${draw.of(["==", "!=", "<", ">", "<=", "+", "-", "*", "/", "%", "&&", "||", "in"])} ${inner()}`,
    () => `${draw.of(["!", "-", "--", "!!!!"])}${inner()}`,
    () => `(${inner()} ? ${inner()} : ${inner()})`,
    () =>
      `${inner()}.${draw.of(["all", "exists", "exists_one", "map", "filter"])}(${draw.of(["x", "y", "self", "__result__"])}, ${inner()})`,
    () => `[${draw.some(4, inner).join(", ")}]`,
    () => `{${draw.some(3, () => `${inner()}: ${inner()}`).join(", ")}}`,
    () => `${inner()}[${inner()}]`,
    () => `${inner()}.matches('${draw.of(regexes)}')`,
    () =>
      `${inner()}.${draw.of(["size()", "startsWith('a')", "split(',')", "replace('a', 'aa')", "lowerAscii()", "sum()", "sort()", "reverse()", "join('')", "format([1])", "contains('')", "findAll('.')"])}`,
    () =>
      `${draw.of(["size", "string", "int", "uint", "double", "dyn", "type", "has", "isURL", "url", "ip", "cidr", "duration", "timestamp", "bytes"])}(${inner()})`,
    () => `'%s %d %x'.format([${draw.some(4, inner).join(", ")}])`,
    () => `cel.bind(v, ${inner()}, ${inner()})`,
    () => grown(draw, inner()),
  ]);
}

/** What grows with every step: a few characters that ask for much work. */
function grown(draw: Draw, text: string): string {
  const times = 1 + draw.int(draw.oneIn(10) ? 400 : 12);
  return draw.rule<string>([
    () => "(".repeat(times) + text + ")".repeat(times),
    () => Array(times).fill(text).join(" + ").slice(0, 20_000),
    () => `[${"1,".repeat(times)}1]${".map(x, [x, x])".repeat(1 + draw.int(6))}`,
    () => `'${"a".repeat(times)}'${".replace('a', 'aaaaaaaaaa')".repeat(1 + draw.int(8))}`,
    () => `[1,2,3,4,5,6,7,8]${".all(x, [1,2,3,4,5,6,7,8]".repeat(1 + draw.int(10))}`,
    () => `${"[".repeat(times)}${"]".repeat(times)}`,
    () => `${text}${".a".repeat(times)}`,
    () => `${"!".repeat(times)}${text}`,
  ]);
}

const policies = "/apis/admissionregistration.k8s.io/v1";

/** A request that makes the server compile an expression, and sometimes run it. */
export function celRequest(draw: Draw): FramedRequest {
  const name = draw.of(names.slice(0, 4));
  const request = (path: string, object: object): FramedRequest => {
    const isPut = draw.oneIn(3);
    return {
      wire: "framed",
      method: isPut ? "PUT" : "POST",
      path: `${path}${isPut ? `/${name}` : ""}${draw.oneIn(3) ? "?fieldValidation=Strict" : ""}`,
      headers: [["Content-Type", "application/json"]],
      body: bytesOf(JSON.stringify(object)),
    };
  };
  return draw.rule<FramedRequest>([
    () => definition(draw),
    () => definition(draw),
    () => request(`${policies}/validatingadmissionpolicies`, validatingPolicy(draw, name)),
    () => request(`${policies}/validatingadmissionpolicies`, validatingPolicy(draw, name)),
    () => request(`${policies}/mutatingadmissionpolicies`, mutatingPolicy(draw, name)),
    () => request(`${policies}/${draw.of(["validating", "mutating"])}webhookconfigurations`, webhook(draw, name)),
    () => request(`${policies}/${draw.of(["validating", "mutating"])}admissionpolicybindings`, binding(draw, name)),
    // What the policies and webhooks above decide about.
    () =>
      request(`/api/v1/namespaces/${hostileNamespace}/configmaps`, {
        metadata: { name, labels: { a: "b" } },
        data: { k: "v", a: "a".repeat(50) },
      }),
    () => ({
      wire: "framed",
      method: "DELETE",
      path: `${policies}/${draw.of(["validatingadmissionpolicies", "mutatingadmissionpolicies", "validatingwebhookconfigurations", "mutatingwebhookconfigurations"])}/${name}${queryText(draw)}`,
      headers: [],
    }),
  ]);
}

/** Only for ConfigMaps of the hostile namespace: the rest of the cluster must go on. */
const matches = {
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] }],
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": hostileNamespace } },
};

const conditions = (draw: Draw): readonly object[] =>
  draw.some(3, () => ({ name: draw.of(["a", "b", "c.d/e", "!"]), expression: expression(draw, ofAdmission) }));

const validatingPolicy = (draw: Draw, name: string): object => ({
  metadata: { name },
  spec: {
    matchConstraints: matches,
    failurePolicy: draw.of(["Fail", "Ignore"]),
    matchConditions: conditions(draw),
    variables: draw.some(3, () => ({ name: draw.of(["v", "w", "x"]), expression: expression(draw, ofAdmission) })),
    validations: [
      { expression: expression(draw, ofAdmission), messageExpression: expression(draw, ofAdmission) },
      ...draw.some(2, () => ({ expression: expression(draw, ofAdmission) })),
    ],
    auditAnnotations: draw.some(2, () => ({ key: draw.of(["a", "b", "!"]), valueExpression: expression(draw, ofAdmission) })),
  },
});

const mutatingPolicy = (draw: Draw, name: string): object => ({
  metadata: { name },
  spec: {
    matchConstraints: matches,
    failurePolicy: draw.of(["Fail", "Ignore"]),
    reinvocationPolicy: draw.of(["Never", "IfNeeded"]),
    mutations: [
      draw.oneIn(2)
        ? { patchType: "ApplyConfiguration", applyConfiguration: { expression: `Object{data: {"a": ${expression(draw, ofAdmission)}}}` } }
        : {
            patchType: "JSONPatch",
            jsonPatch: { expression: `[JSONPatch{op: "add", path: "/data/x", value: ${expression(draw, ofAdmission)}}]` },
          },
    ],
  },
});

const binding = (draw: Draw, name: string): object => ({
  metadata: { name },
  spec: { policyName: name, validationActions: [draw.of(["Deny", "Warn", "Audit"])], matchResources: matches },
});

const webhook = (draw: Draw, name: string): object => ({
  metadata: { name },
  webhooks: [
    {
      name: "hook.hostile.example",
      clientConfig: draw.of<object>([
        { url: "https://127.0.0.1:1/hook" },
        { url: "https://localhost:1/" },
        { url: `https://${draw.of(["169.254.169.254", "[::1]:1", "nothing.invalid", "user:pass@localhost"])}/` },
        { service: { namespace: hostileNamespace, name: "h0", path: "/a" } },
      ]),
      rules: matches.resourceRules,
      namespaceSelector: matches.namespaceSelector,
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      timeoutSeconds: 1,
      failurePolicy: draw.of(["Ignore", "Fail"]),
      matchConditions: [...conditions(draw), { name: "z", expression: expression(draw, ofAdmission) }],
    },
  ],
});

/** Mostly a dry run: a definition that is stored has the server build its OpenAPI documents again. */
function definition(draw: Draw): FramedRequest {
  const plural = draw.of(["rules", "laws"]);
  const rule = (): object => ({
    rule: expression(draw, ofSchema),
    ...(draw.oneIn(3) ? { messageExpression: expression(draw, ofSchema) } : {}),
  });
  const schema = {
    type: "object",
    "x-kubernetes-validations": [rule()],
    properties: {
      name: { type: "string", maxLength: draw.of([10, 1000, 100_000]), "x-kubernetes-validations": draw.some(1, rule) },
      count: { type: "integer" },
      tags: { type: "array", maxItems: draw.of([5, 1000, 1_000_000]), items: { type: "string" } },
      labels: { type: "object", additionalProperties: { type: "string", pattern: draw.of(regexes) } },
      parts: {
        type: "array",
        maxItems: 20,
        items: { type: "object", properties: { name: { type: "string" } }, "x-kubernetes-validations": draw.some(1, rule) },
      },
      free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  };
  const body = {
    metadata: { name: `${plural}.hostile.example` },
    spec: {
      group: "hostile.example",
      scope: "Namespaced",
      names: { plural, kind: plural === "rules" ? "Rule" : "Law" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec: schema } } },
          additionalPrinterColumns: [
            {
              name: "a",
              type: "string",
              jsonPath: draw.of([".spec..a", ".spec[*].a", "..a..a..a", ".spec[?(@.a==1)]", ".[", ".spec.name"]),
            },
          ],
          selectableFields: draw.oneIn(4) ? [{ jsonPath: ".spec.name" }] : [],
        },
      ],
    },
  };
  return {
    wire: "framed",
    method: "POST",
    path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions${draw.oneIn(30) ? "" : "?dryRun=All"}`,
    headers: [["Content-Type", "application/json"]],
    body: bytesOf(JSON.stringify(body)),
  };
}
