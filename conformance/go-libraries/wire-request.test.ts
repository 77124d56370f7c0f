/** Paths, queries and headers compared with the code with which client-go writes them and the API server reads them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  QueryError,
  ResourcePathError,
  defaultListOptions,
  encodeDeleteOptions,
  encodeGetOptions,
  encodeListOptions,
  encodeQuery,
  encodeWriteOptions,
  formatResourcePath,
  parseAccept,
  parseContentType,
  parseDeleteOptions,
  parseGetOptions,
  parseListOptions,
  parsePatchOptions,
  parseQuery,
  parseWriteOptions,
  patchContentType,
  printFieldErrors,
  requestInfo,
  validateDeleteOptions,
  validateListOptions,
  validatePatchOptions,
  validateWriteOptions,
} from "@drover/machinery";
import type { PatchType, ResourcePath } from "@drover/machinery";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

const numRuns = process.env["DROVER_LONG"] === "1" ? 20_000 : 1500;

const attempt = (output: () => unknown): Answer => {
  try {
    return { output: output() };
  } catch (error) {
    if (error instanceof QueryError || error instanceof ResourcePathError) return { error: error.message };
    throw error;
  }
};

/** One subject: a table that is always checked, and random questions if the oracle is built. */
function compare<Q>(subject: string, table: readonly Q[], random: fc.Arbitrary<Q>, ours: (question: Q) => Answer): void {
  describe(subject, () => {
    const answers = recordedAnswers(subject, table);
    it.each(table.map((question, index) => [question, answers[index]] as const))("%j", (question, answer) =>
      expect(ours(question)).toEqual(answer),
    );
    it("random questions", (ctx) => {
      if (oracleMissing !== undefined) ctx.skip(oracleMissing);
      const questions = fc.sample(random, { numRuns, seed: 11 });
      const theirs = askOracle(subject, questions);
      for (const [index, question] of questions.entries()) expect(ours(question), JSON.stringify(question)).toEqual(theirs[index]);
    });
  });
}

const segment = fc.oneof(
  fc.constantFrom(
    "api",
    "apis",
    "v1",
    "apps",
    "namespaces",
    "shop",
    "pods",
    "web",
    "status",
    "finalize",
    "watch",
    "proxy",
    "",
    ".",
    "..",
    "a%20b",
    "%C3%A9",
    "a+b",
  ),
  fc.stringMatching(/^[a-z0-9:.-]{1,5}$/),
);
const prefix = fc.constantFrom(
  ["api", "v1"],
  ["apis", "apps", "v1"],
  [],
  ["api"],
  ["api", "v1", "namespaces", "shop"],
  ["apis", "apps", "v1", "namespaces", "shop"],
  ["api", "v1", "watch"],
);
const target = fc.tuple(prefix, fc.array(segment, { maxLength: 5 })).map((parts) => `/${parts.flat().join("/")}`);
const word = fc.oneof(
  fc.constantFrom(
    "",
    "0",
    "1",
    "true",
    "false",
    "FALSE",
    "5",
    "-1",
    "+3",
    "abc",
    "9223372036854775808",
    "Exact",
    "NotOlderThan",
    "foo",
    "All",
    "Orphan",
    "Background",
    "a=b",
    "metadata.name=x",
    "metadata.name=a/b,c=d",
    "==",
  ),
  fc.string({ unit: fc.constantFrom("a", " ", "é", "\n", "%", "+", "&", "=", ";", "\u0000", "\u200b", "/") }),
);
const queryOf = (...keys: string[]): fc.Arbitrary<string> =>
  fc.array(fc.tuple(fc.constantFrom(...keys), word), { maxLength: 4 }).map((pairs) => encodeQuery(pairs));
const listQuery = queryOf(
  "labelSelector",
  "fieldSelector",
  "watch",
  "allowWatchBookmarks",
  "resourceVersion",
  "resourceVersionMatch",
  "timeoutSeconds",
  "limit",
  "continue",
  "sendInitialEvents",
  "shardSelector",
  "x",
);

compare(
  "wire-request-info",
  [
    ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get"].flatMap((method) =>
      ["/api/v1/pods", "/api/v1/namespaces/shop/pods/web", "/version", "/api/v1/watch/pods"].map((path) => ({ method, target: path })),
    ),
    ...[
      "/",
      "/api",
      "/api/v1",
      "/apis",
      "/apis/apps",
      "/apis/apps/v1",
      "/apis/apps/v1/",
      "/apis/apps/v1/deployments",
      "/apis/apps/v1/namespaces/shop/deployments/web/scale",
      "/api/v1/namespaces",
      "/api/v1/namespaces/shop",
      "/api/v1/namespaces/shop/",
      "/api/v1/namespaces/shop/status",
      "/api/v1/namespaces/shop/finalize",
      "/api/v1/namespaces/shop/other",
      "/api/v1/namespaces/shop/status/x",
      "/api/v1/watch",
      "/api/v1/watch/",
      "/api/v1/watch/namespaces/shop/pods",
      "/api/v1/watch/namespaces/shop",
      "/api/v1/proxy/namespaces/shop/pods/web/a/b",
      "/api/v1/proxy/nodes/n/x",
      "/api//pods",
      "//api/v1/pods//",
      "/api/v1/namespaces//pods",
      "/api/v1/namespaces/shop/pods/web/proxy/a/b",
      "/api/v1/pods?watch",
      "/api/v1/pods?watch=1",
      "/api/v1/pods?watch=0",
      "/api/v1/pods?watch=False",
      "/api/v1/pods?watch=true&watch=false",
      "/api/v1/pods?watch=x&limit=y",
      "/api/v1/pods?fieldSelector=metadata.name%3Dweb",
      "/api/v1/pods?fieldSelector=metadata.name%3Dweb,a!%3Db",
      "/api/v1/pods?fieldSelector=metadata.name%3D%3Dweb&labelSelector=a",
      "/api/v1/pods?fieldSelector=metadata.name%3Dweb&labelSelector=!!",
      "/api/v1/pods?fieldSelector=metadata.name!%3Dweb",
      "/api/v1/pods?fieldSelector=metadata.name%3D..",
      "/api/v1/namespaces/shop/pods/web?watch=1",
      "/api/v1/pods/a%2Fb",
      "/api/v1/pods/a%20b",
      "/api/v1/pods/a%zz",
      "/API/v1/pods",
      "/healthz/x/y/z",
    ].map((path) => ({ method: "GET", target: path })),
  ],
  fc.record({
    method: fc.constantFrom("GET", "POST", "DELETE", "PUT", "HEAD"),
    target: fc.tuple(target, fc.oneof(fc.constant(""), listQuery)).map(([path, query]) => (query === "" ? path : `${path}?${query}`)),
  }),
  (question) =>
    attempt(() => {
      const {
        isResourceRequest,
        path,
        verb,
        apiPrefix,
        apiGroup,
        apiVersion,
        namespace,
        resource,
        subresource,
        name,
        parts,
        fieldSelector,
        labelSelector,
      } = requestInfo(question.method, question.target);
      return {
        // "/apis/{group}/{version}" has a prefix there although it is not a resource path; nothing reads it.
        IsResourceRequest: isResourceRequest,
        Path: path,
        Verb: verb,
        APIPrefix: isResourceRequest || !/^\/*apis\/[^/]*\/[^/]+\/*$/.test(path) ? apiPrefix : "apis",
        APIGroup: apiGroup,
        APIVersion: apiVersion,
        Namespace: namespace,
        Resource: resource,
        Subresource: subresource,
        Name: name,
        Parts: isResourceRequest ? parts : null,
        FieldSelector: fieldSelector,
        LabelSelector: labelSelector,
      };
    }),
);

compare(
  "wire-list-options",
  [
    "",
    "limit=5",
    "limit=abc",
    "limit=",
    "limit=-1",
    "limit=9223372036854775808",
    "timeoutSeconds=0",
    "timeoutSeconds=1.5",
    "watch",
    "watch=banana",
    "watch=0&limit=0",
    "limit=1&limit=2",
    "resourceVersionMatch=Exact",
    "resourceVersionMatch=Exact&resourceVersion=0",
    "resourceVersionMatch=Exact&resourceVersion=5&continue=c",
    "resourceVersionMatch=foo%22&resourceVersion=1&continue=c",
    "sendInitialEvents=true",
    "watch=1&sendInitialEvents=true",
    "watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan",
    "watch=1&resourceVersionMatch=Exact",
    "watch=1&resourceVersionMatch=NotOlderThan&continue=c",
    "watch=1",
    "watch=1&resourceVersion=0",
    "watch=1&resourceVersion=7",
    "labelSelector=a+in+(b,c)&fieldSelector=metadata.name%3Dx&shardSelector=s&allowWatchBookmarks=true",
    "LIMIT=5&unknown=x",
  ],
  listQuery,
  (question) =>
    attempt(() => {
      const options = parseListOptions(parseQuery(question));
      const defaulted = defaultListOptions(options);
      return {
        query: encodeListOptions(options),
        errors: printFieldErrors(validateListOptions(defaulted)),
        errorsWithoutWatchList: printFieldErrors(validateListOptions(defaulted, { watchList: false })),
      };
    }),
);

interface WriteQuestion {
  readonly kind: string;
  readonly patchType?: string;
  readonly query: string;
}
const patchTypeOf: Readonly<Record<string, PatchType>> = { [patchContentType("apply")]: "apply", [patchContentType("merge")]: "merge" };
const writeQuery = queryOf(
  "dryRun",
  "fieldManager",
  "fieldValidation",
  "force",
  "gracePeriodSeconds",
  "orphanDependents",
  "propagationPolicy",
  "uid",
  "resourceVersion",
  "ignoreStoreReadErrorWithClusterBreakingPotential",
);

compare<WriteQuestion>(
  "wire-write-options",
  [
    ...["create", "update", "delete", "get"].flatMap((kind) =>
      [
        "",
        "dryRun=All",
        "dryRun=All&dryRun=All",
        "dryRun=",
        "dryRun=x",
        `fieldManager=${"a".repeat(129)}`,
        "fieldManager=a%0Ab%E2%80%8B",
        "fieldManager=%C3%A9",
        "fieldValidation=Strict",
        "fieldValidation=strict",
        "resourceVersion=5&uid=u",
      ].map((query) => ({ kind, query })),
    ),
    ...["force=true", "force=false", "force", "fieldManager=me&force=1", ""].flatMap((query) =>
      Object.keys(patchTypeOf).map((patchType) => ({ kind: "patch", patchType, query })),
    ),
    ...[
      "gracePeriodSeconds=0",
      "gracePeriodSeconds=x",
      "propagationPolicy=Orphan&orphanDependents=true",
      "propagationPolicy=",
      "propagationPolicy=%22",
      "orphanDependents=0",
      "ignoreStoreReadErrorWithClusterBreakingPotential=1&dryRun=All&propagationPolicy=Orphan&orphanDependents=1&gracePeriodSeconds=1&uid=x",
    ].map((query) => ({ kind: "delete", query })),
  ],
  fc.record({
    kind: fc.constantFrom("create", "update", "patch", "delete", "get"),
    patchType: fc.constantFrom(...Object.keys(patchTypeOf)),
    query: writeQuery,
  }),
  ({ kind, patchType = "", query }) =>
    attempt(() => {
      const parsed = parseQuery(query);
      if (kind === "get") return { query: encodeGetOptions(parseGetOptions(parsed)), errors: "" };
      if (kind === "delete") {
        const options = parseDeleteOptions(parsed);
        return { query: encodeDeleteOptions(options), errors: printFieldErrors(validateDeleteOptions(options)) };
      }
      const options = kind === "patch" ? parsePatchOptions(parsed) : parseWriteOptions(parsed);
      const errors = kind === "patch" ? validatePatchOptions(options, patchTypeOf[patchType] ?? "json") : validateWriteOptions(options);
      return { query: encodeWriteOptions(options), errors: printFieldErrors(errors) };
    }),
);

// Go keeps bytes that are not UTF-8; in JavaScript they become U+FFFD.
const queryText = fc
  .oneof(
    fc.string({ unit: fc.constantFrom("a", "b", "=", "&", ";", "+", "%", "%41", "%2", "%C3%A9", " ", "é", "~", "!", "*", "'", "(") }),
    fc.webQueryParameters(),
  )
  .filter((text) => ![...parseQuery(text)].flat(2).join("").includes("\ufffd"));
compare(
  "wire-query",
  ["", "a=1&b=2&a=3", "a", "=", "&", "a=%zz&b=1", "a;b=1&c=2", "a=b=c", "a+b=c%20d", "%C3%A9=é", "!*'()~-_.=!*'()~-_.", "a=%2B+"],
  queryText,
  (text) => {
    const query = parseQuery(text);
    return {
      output: {
        values: Object.fromEntries(query),
        text: encodeQuery([...query].flatMap(([key, values]) => values.map((value) => [key, value] as const))),
      },
    };
  },
);

const clause = fc
  .tuple(
    fc.constantFrom(
      "application/json",
      "application/yaml",
      "*/*",
      "application/*",
      "*",
      "text",
      "a/b/c",
      "a/b/",
      "a/",
      "/b",
      " application / json ",
      "",
    ),
    fc.array(
      fc.constantFrom(
        ";q=0.5",
        ";q=1",
        ";q=0",
        ";q=x",
        "; q=0.9",
        ";q=.5",
        ";q= 1",
        ";as=Table",
        ";g=meta.k8s.io",
        " ; v = v1 ",
        ";x",
        ";y=",
        ";z=1=2",
        ";w=1=",
      ),
      { maxLength: 3 },
    ),
  )
  .map((parts) => parts.flat().join(""));
compare(
  "wire-accept",
  [
    "",
    "*/*",
    "application/json",
    "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
    "application/json;q=0.9,application/cbor;q=1",
    "*/*;q=0.9,a/b;q=0.1",
    "a/*,a/b,*/*,c/d;q=2",
  ],
  fc.array(clause, { maxLength: 6 }).map((clauses) => clauses.join(",")),
  (header) => ({
    output: parseAccept(header).map(({ parameters, ...rest }) => ({ ...rest, parameters: Object.fromEntries(parameters) })),
  }),
);

compare<ResourcePath & { subresource?: never; readonly subresources?: readonly string[] }>(
  "wire-path",
  [
    { group: "", version: "v1", resource: "pods" },
    { group: "", version: "v1", resource: "Pods", namespace: "shop", name: "web" },
    { group: "apps", version: "v1", resource: "deployments", namespace: "shop", name: "a b%".slice(0, 3) },
    { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles", name: "system:node/x" },
    { group: "", version: "v1", resource: "nodes", name: "$&+,:;=@!*'()~-_.é\"<>[]\\^`{|}?#" },
    { group: "", version: "v1", resource: "pods", name: "" },
    { group: "", version: "v1", resource: "pods", namespace: "..", name: "x" },
    { group: "", version: "v1", resource: "pods", name: "100%" },
    { group: "", version: "v1", resource: "a/b" },
    { group: "", version: "v1", resource: "namespaces", name: "shop" },
  ],
  fc.record({
    group: fc.constantFrom("", "apps"),
    version: fc.constant("v1"),
    resource: fc.constantFrom("pods", "Pods"),
    namespace: fc.stringMatching(/^[ -~é𝒳]{1,6}$/u),
    name: fc.stringMatching(/^[ -~é𝒳]{1,6}$/u),
  }),
  (path) => attempt(() => formatResourcePath(path)),
);

const contentTypes = [
  "application/json",
  "application/json;charset=utf-8",
  "Application/JSON ; Charset=UTF-8",
  "application/apply-patch+yaml",
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  'text/plain;a="b;c"',
  "application/json; ",
];
describe("wire-content-type", () => {
  const answers = recordedAnswers("wire-content-type", contentTypes);
  it.each(contentTypes.map((header, index) => [header, answers[index]] as const))("%j", (header, answer) => {
    const { mediaType, parameters = new Map<string, string>() } = parseContentType(header) ?? {};
    expect({ output: { mediaType, parameters: Object.fromEntries(parameters) } }).toEqual(answer);
  });
});
