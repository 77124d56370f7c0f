import type { ProblemArea } from "../problem.ts";

export const declarations: ProblemArea = {
  title: "Declaration of an operator",
  problems: [
    {
      code: "DRV0201",
      title: "An option does not exist",
      means: "JavaScript ignores unknown options silently, so every function of Drover refuses them.",
      causes: [
        "A misspelt name, or the name of another library: `maxConcurrentReconciles` is `workers`, `onDelete` is `cleanup`.",
        "An option at the wrong place: `leaderElection` belongs to `app.run({ … })`, not to `operator({ … })`.",
        "An option of a newer or older version of Drover: two versions are installed.",
      ],
      find: [
        "The message names the function, the option, and the one that was probably meant.",
        "`npm ls drover` shows the installed versions.",
      ],
      fixes: [
        "Use the name in the message; docs/options.md lists all options with their defaults.",
        "TypeScript finds this without running: do not cast options to `any`.",
      ],
    },
    {
      code: "DRV0202",
      title: "A value is not a kind",
      means:
        "Controllers, caches and webhooks are declared with kinds, which are values. Here something else was passed, usually `undefined`.",
      causes: [
        "The import names something that the module does not export.",
        "The import is `import type`, which disappears when the program runs.",
        "Two modules import each other, and the kind is not yet assigned when it is used.",
        'The name of the kind is passed as text: `"Deployment"`.',
      ],
      find: ["The message names the place, for example `owns, slot deployment`. Log the value just before it."],
      fixes: [
        '`import { Deployment } from "drover/kinds"`, without `type`.',
        "Your own kinds: export the result of `defineResource`, from a module that imports no controller.",
      ],
    },
    {
      code: "DRV0204",
      title: "desired or status is async",
      means:
        "`desired` and `status` are pure functions of the state: Drover calls them any number of times, also for dry runs and to find changes. They must neither wait nor have effects.",
      causes: [
        "The function is declared `async` or returns a promise.",
        "It reads another object with `await live.get(…)`, or calls an external system.",
      ],
      find: ["The message names the controller and the function."],
      fixes: [
        "Read other objects from caches: `get(Kind, name)` and `list(Kind)` of the context do not wait. Declare them: `reads: [ConfigMap]`.",
        "Call external systems in `reconcile: async ({ object, signal }) => { … }`, and keep their answers in the status.",
      ],
    },
    {
      code: "DRV0205",
      title: "desired has no slots to fill",
      means:
        "`desired` returns one value for each slot of `owns`. Without `owns` Drover does not know which kinds to watch, compare and prune.",
      causes: ["`owns` is missing or misspelt.", "Objects are to be written in `reconcile` instead; then `desired` is not needed."],
      find: ["The message names the controller."],
      fixes: ["`app.controller(WebApp, { owns: { deployment: Deployment }, desired: ({ object }) => ({ deployment: { … } }) })`"],
    },
    {
      code: "DRV0207",
      title: "A status is declared for a kind without status subresource",
      means: "The server drops changes of `status` in ordinary writes, and this kind has no subresource to write it through.",
      causes: [
        "A built-in kind without status, such as Secret or ConfigMap.",
        "A definition of another project that does not enable the subresource.",
      ],
      find: ["`kubectl get crd NAME -o jsonpath='{.spec.versions[*].subresources}'`"],
      fixes: [
        "Leave out `status`, and report with `events.normal(…)` and `events.warning(…)`.",
        "For your own kind: `defineResource` enables it always; install the current definition.",
      ],
    },
    {
      code: "DRV0208",
      title: "A finalizer has no valid name",
      means: "The server accepts only qualified names as finalizers of custom resources: a domain, a slash and a word.",
      causes: ["The name has no slash, or capitals or spaces in its domain."],
      find: ["The message quotes the name."],
      fixes: [
        '`finalizer: "shop.example.com/release-dns"`, with your own domain.',
        "Do not rename the finalizer of an operator that is in use: objects with the old name could no longer be deleted. Remove the old one in `cleanup` of a transitional release.",
      ],
    },
    {
      code: "DRV0209",
      title: "Two controllers for one kind",
      means: "Each would apply its own idea of the objects and overwrite the status and owned objects of the other.",
      causes: [
        "`app.controller` is called twice for a kind, often from two modules.",
        "A module is loaded twice, as `./a.ts` and `./a.js`.",
      ],
      find: ["Search for `app.controller(` and for duplicates in the stack of the error."],
      fixes: [
        "Merge them: one declaration with the slots of both.",
        "If they are independent, make them two operators with names of their own, and different fields.",
      ],
    },
    {
      code: "DRV0210",
      title: "A kind is read but not declared",
      means: "`get` and `list` read caches that are filled before the first run. No cache holds this kind, so any answer would be wrong.",
      causes: ["`reads` lacks the kind.", "Another version of the kind was imported than the declared one."],
      find: ["The message names controller and kind."],
      fixes: [
        "`reads: [ConfigMap]`: it is cached and watched, and its changes make referring objects run.",
        "`await live.get(ConfigMap, name)` in `reconcile` for rare reads: each one is a request.",
      ],
    },
    {
      code: "DRV0212",
      title: "A kind is optional for one controller and required by another",
      means: "An optional kind may be missing on the cluster; a controller that requires it could then never start. Both share one cache.",
      causes: ["`optional: [Kind]` in one declaration, and `owns` or `reads` without it in another."],
      find: ["The message names both controllers."],
      fixes: ["Declare it as optional in both, and ask `isServed(Kind)` before use.", "Or leave it out of `optional` in both."],
    },
    {
      code: "DRV0213",
      title: "Objects of a limited kind are owned",
      means:
        "`withFields` keeps only some fields in memory. Of an owned object Drover must see all fields that it applies, else it could not find drift.",
      causes: ["A slot of `owns` uses a kind made with `withFields`."],
      find: ["The message names the slot."],
      fixes: [
        "Use the whole kind in `owns`, and the limited one in `reads`. The whole kind decides how much is cached; see docs/budgets.md for memory.",
      ],
    },
  ],
};
