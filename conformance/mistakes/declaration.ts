/** Mistakes that are visible when a controller is declared, without a cluster. */
import { nodeRuntime, operator } from "drover";
import { ConfigMap, Deployment, Secret } from "drover/kinds";
import type { Mistake } from "./mistake.ts";
import { appWith, untyped, Widget } from "./widget.ts";

const reconcile = (): undefined => undefined;

export const declaration: readonly Mistake[] = [
  { title: "an operator without a name", act: () => operator(untyped({})), says: ["name", 'operator({ name: "shop-operator" })'] },
  { title: "an operator without options", act: () => operator(untyped(undefined)), says: ["options", "name"] },
  { title: "a name with capitals and spaces", act: () => operator({ name: "My Operator" }), says: ["My Operator", "DNS label"] },
  {
    title: "an option of app.run given to operator()",
    act: () => operator(untyped({ name: "shop", leaderElection: true })),
    says: ["leaderElection", "app.run({ leaderElection: … })"],
  },
  {
    title: "a controller without a declaration",
    act: () => operator({ name: "shop" }).controller(Widget, untyped(undefined)),
    says: ["options", "reconcile"],
  },
  {
    title: "a wrong import: the kind is undefined",
    act: () => operator({ name: "shop" }).controller(untyped(undefined), { reconcile }),
    says: ["undefined", "import"],
  },
  {
    title: "the name of a kind instead of the kind",
    act: () => operator({ name: "shop" }).controller(untyped("Widget"), { reconcile }),
    says: ['"Widget"', "import"],
  },
  {
    title: "a slot whose kind is undefined",
    act: () => appWith({ owns: { deployment: undefined }, desired: () => ({}) }),
    says: ["slot deployment", "import"],
  },
  {
    title: "a kind in reads that is undefined",
    act: () => appWith({ reconcile, reads: [ConfigMap, undefined] }),
    says: ["reads[1]", "import"],
  },
  { title: "an option of another library", act: () => appWith({ reconcile, onDelete: reconcile }), says: ["onDelete", "cleanup"] },
  { title: "a misspelt option", act: () => appWith({ own: { deployment: Deployment }, desired: () => ({}) }), says: ["own", "owns"] },
  { title: "an option that no library has", act: () => appWith({ reconcile, banana: 1 }), says: ["banana", "one of"] },
  {
    title: "the number of workers under its Go name",
    act: () => appWith({ reconcile, maxConcurrentReconciles: 3 }),
    says: ["maxConcurrentReconciles", "workers"],
  },
  { title: "a controller that does nothing", act: () => appWith({}), says: ["does nothing", "reconcile"] },
  {
    title: "a desired without owns",
    act: () => appWith({ desired: () => ({}) }),
    says: ["owns is missing", "owns: { deployment: Deployment }"],
  },
  {
    title: "an async desired",
    act: () => appWith({ owns: { copy: ConfigMap }, desired: async () => ({ copy: undefined }) }),
    says: ["async", "reconcile: async"],
  },
  { title: "an async status", act: () => appWith({ status: async () => ({}) }), says: ["async", "without async"] },
  {
    title: "a status for a kind without one",
    act: () => operator({ name: "shop" }).controller(Secret, untyped({ status: () => ({}) })),
    says: ["Secret", "leave out status"],
  },
  { title: "a duration in words", act: () => appWith({ reconcile, deadline: "5 minutes" }), says: ["deadline", "5 minutes"] },
  { title: "a resync every millisecond", act: () => appWith({ reconcile, resync: "1ms" }), says: ["resync", "after"] },
  {
    title: "a finalizer without a domain",
    act: () => appWith({ cleanup: reconcile, finalizer: "release" }),
    says: ["finalizer", "demo.example.com/release-dns"],
  },
  {
    title: "two controllers for one kind",
    act: () => {
      const app = appWith({ reconcile });
      app.controller(Widget, { reconcile });
    },
    says: ["a controller for Widget exists", "owns"],
  },
  {
    title: "two controllers of one name",
    act: () => {
      const app = appWith({ reconcile });
      app.controller(ConfigMap, { name: "widget", reconcile });
    },
    says: ['"widget"', 'name: "widget-configmaps"'],
  },
  {
    title: "two indexes of one name",
    act: () => {
      const app = appWith({ reconcile });
      app.index(Widget, "byImage", ({ spec }) => [spec.image]);
      app.index(Widget, "byImage", () => []);
    },
    says: ["byImage", "choose another name"],
  },
  {
    title: "an index over an undefined kind",
    act: () => operator({ name: "shop" }).index(untyped(undefined), "byImage", () => []),
    says: ["app.index", "import"],
  },
  {
    title: "an unknown option of app.run",
    act: () => operator({ name: "shop" }).run(untyped({ leaderElect: true })),
    says: ["leaderElect", "leaderElection"],
  },
  { title: "an unknown option of nodeRuntime", act: () => nodeRuntime(untyped({ loglevel: "debug" })), says: ["loglevel", "logLevel"] },
  { title: "a log level that does not exist", act: () => nodeRuntime({ logLevel: untyped("verbose") }), says: ["verbose", "debug"] },
];
