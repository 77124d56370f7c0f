/**
 * Defects that people met with other clients and frameworks, and what the tests of Lasso and Wrangler check: one row
 * each, so that none of it is met here.
 *
 *     defectRows → defect-table.ts finds the tests that carry a row, "… (§9.14)" → the table of README.md
 *
 * §9 is about kube-rs, java-operator-sdk, fabric8, kopf, client-node and client-go; §3 what Lasso and Wrangler test,
 * and what nothing of theirs tests; §2 what
 * Wrangler does besides.
 */

export interface DefectRow {
  /** "§9.14" */
  readonly row: string;
  /** What must hold. */
  readonly promise: string;
  /** Why there is no test: what the row is about is not there. @default there is one */
  readonly absent?: string;
  /** What of the row does not hold here, or holds differently. @default nothing */
  readonly but?: string;
}

const numbered = (chapter: string, rows: readonly (string | Omit<DefectRow, "row">)[]): readonly DefectRow[] =>
  rows.map((row, index) => ({ row: `${chapter}.${index + 1}`, ...(typeof row === "string" ? { promise: row } : row) }));

/** In the order of the table. */
export const defectRows: readonly DefectRow[] = [
  ...numbered("§9", [
    "a streaming list that broke halfway leaves no ghost",
    "a bookmark before the one that ends the initial events does not end them",
    "where streaming lists are refused there are pages, and that is remembered",
    "an object that was deleted while nobody looked is told as deleted, to related sources and indexes too",
    "a watch that is silent for too long is given up and resumed; so is a connection that is only half open",
    "whatever a watch fails with it is tried again for ever, with pauses, and shows in the probes",
    "where nothing happens no pause between watches grows",
    "bookmarks are always asked for, and kept",
    "retries are not used up by runs that something else brought about",
    "a success ends the pauses; a key is parked after its last attempt, and a change wakes it",
    "a delay of months or years comes when it is due",
    "a debounce ends; an object that never rests is reconciled",
    "no more runs at once than there are workers; ten thousand objects at the start cost little",
    { promise: "predicates hide no deletion", but: "that holds for those of the house; one of your own may say no to anything" },
    "what is remembered to filter events is bounded",
    "what a queue knows of a key goes with the key",
    "mapping functions see the old and the new object",
    "owners are found in any version of their kind",
    "finalizers of others are left alone, and ours stays while the cleanup fails",
    "a write of one's own that changed nothing hides no change of others",
    "a late answer to a write neither brings back the dead nor an older version",
    "resource versions are compared at any length",
    "a list shows one's own writes as a get does",
    "a mistake of the matcher of server-side apply costs one request, not one in every run",
    "defaults, quantities, stringData and empty values are known to be equal",
    "who loses the lease has its writes aborted before another leads; who stops gives it back, when all has ended",
    "Events of one occurrence are one, and their rate is bounded",
    "no label of a metric has the name of an object",
    "no failure of one object stops the operator",
    "429 of a server that initializes its storage is waited out",
    {
      promise: "a kind that is not there at the start keeps nobody from running, and joins later",
      but: "only one that is declared optional; for the others the start fails and says which",
    },
    "what a mapping function, a predicate or `desired` throws is contained, and told with its name",
    "a shutdown drains within its grace; a second signal ends the process",
    "schemas: unions, null, int-or-string, enums; recursion is refused with what to write instead",
    "whatever a definition says, generated code has it in quotes and comments only",
    "a credential plugin that hangs, or wants to ask somebody, blocks nobody",
    "tokens and certificates are rotated under load, without a call that fails",
    "the time limit of a call is not that of a stream",
    "secrets are in no log and no plan",
    "a slow handler does not keep others waiting on the same watch",
  ]),
  ...numbered("§3", [
    "each verb goes to its path, and gives the object with its kind",
    "an empty name, and a namespaced object without a namespace, are refused",
    "a watch that is stopped ends at once",
    "another agent and another user are sent by a copy of the client; the original stays as it is",
    "a factory of changed clients changes each of them, and not the original",
    "a controller's client sends the agent it was given",
    "an object whose last finalizer is gone is not shown to handlers again",
    "a finished object does no harm where there is no handler",
    "metrics count cached objects: none before the start, none after the end",
    "Wrangler's verbs: namespaces as arguments where a kind has them, from the object where that has one",
    "Wrangler's cache: hit, miss, index",
    "remove handlers: the finalizer is put on once, the cleanup runs once",
    "unique applies: once for a resource version",
    "members of a set are found in every namespace, from caches too",
    { promise: "what Wrangler applied last can be read, packed as it is", but: "it is not written: nothing of ours is packed" },
    "a related resource stops firing with its signal",
    "the namespaces of an object set are distinct, the empty one included",
    { promise: "SafeConcatName and GuessPluralName, to the letter", but: "Limit and Hex (MD5) are not there" },
    { promise: "the durations of leader election", but: "a lease shorter than its renewal, which Wrangler takes, is refused" },
    "definitions are created, updated, waited for, and time out; their columns",
    { promise: "needacert", absent: "there is no certificate maker yet" },
    "YAML of one and many documents, empty ones and broken ones",
    { promise: "data.GetValueFromAny, convert", but: "of convert only what texts and truths need; arrays of numbers are looked into too" },
    { promise: "summary", but: "without relationships, kinds of Cluster API, and mappings from the environment" },
    {
      promise: "fakes satisfy their interfaces",
      absent: "there are no fake clients: tests run the embedded server or replace the transport",
    },
    "handlers run in the order of their registration",
    "what fails is tried again, with growing pauses",
    "what is wanted no longer is pruned",
    "three-way patches",
    "reconcilers: what cannot be changed is made anew",
    "owner references, where the garbage collector follows them",
    "DryRun writes nothing",
    "dynamic: kinds that are known at run time alone",
    "the mapper",
    "factories and runnables start in order, and once",
    "related resources: old and new owners hear of it",
    "conditions",
    { promise: "webhooks", absent: "they are not there yet" },
    "trigger",
  ]),
  ...numbered("§2.1", [
    "status handlers write what is new, once, with their condition",
    "generating handlers make what they return and set it right",
    "their options mean what they are called",
    "handlers get key and object, and no object when it is gone",
    "options of a factory are honoured or refused",
  ]),
  ...numbered("§2.2", [
    "sets and their owners are known by Wrangler's annotations",
    "owners that need not exist, FindOwner, PurgeOrphan",
    "WithCacheTypes and strict caching",
    "default namespaces, and where members may be",
    "WithDiffPatch leaves fields to others",
    "what must not be deleted stays",
    "one object that fails does not keep back the others",
    "an object that is wanted in another version is not deleted",
    { promise: "what belongs to nobody can be adopted", but: "only when the apply says so; Wrangler takes it without asking" },
    "the builder is immutable",
  ]),
  { row: "§2.3", promise: "object sets: order, duplicates, errors kept until somebody asks" },
  ...numbered("§2.4", [
    "a resolver that fails is asked again",
    "deletions that were missed are told",
    "owners by kind, cluster-scoped ones, all keys at once",
  ]),
  ...numbered("§2.5", ["generic conditions and their two times", "kstatus: reconciling, stalled or neither"]),
  { row: "§2.6", promise: "definitions that may not be listed are taken to be there" },
  { row: "§2.7", promise: "code is generated for the kinds of a definition", but: "types and descriptors only: controllers need none" },
  {
    row: "§2.8",
    promise: "schemas of the Rancher API",
    absent: "`defineResource` has a schema for a kind, and nothing of norman and steve",
  },
  { row: "§2.9", promise: "the webhook router", absent: "as §3.38" },
  {
    row: "§2.10",
    promise: "summaries as an informer",
    absent: "`summarize` is a function; `transform` keeps less of an object in a cache",
  },
  {
    row: "§2.11",
    promise: "leader: candidates differ",
    but: "of the small packages only those of docs/migrating-from-wrangler.md are there",
  },
];
