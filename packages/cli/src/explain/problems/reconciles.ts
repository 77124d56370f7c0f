import type { ProblemArea } from "../problem.ts";

export const reconciles: ProblemArea = {
  title: "Reconciles",
  problems: [
    {
      code: "DRV0401",
      title: "desired returns something else each time",
      means:
        "For the same object `desired` returned different results. Every run then writes, the write causes a run, and the operator never becomes idle.",
      causes: [
        "A time, a random value or a counter.",
        "The order of a Map, a Set or an unsorted list.",
        "Module state that `desired` changes.",
      ],
      find: ["The message, the log field `fields` and the Event `DesiredFlaps` name fields with both values."],
      fixes: [
        "What is made once and stays: `owns: { password: once(Secret, …) }`.",
        "A time: `object.metadata.creationTimestamp`, or a field of the status.",
        "Sort lists. `t.settled()` of drover/testing finds this in tests.",
      ],
    },
    {
      code: "DRV0402",
      title: "A reconcile runs because of its own write, again and again",
      means:
        "Each run writes the same object, and only that write causes the next run. Drover slows the key down, so that the cluster survives it.",
      causes: [
        "A time or a counter is written to the status or an annotation in every run.",
        "A webhook or another controller undoes the write.",
        "A value is written in a form that the server normalises: `1000m` becomes `1`.",
      ],
      find: ["The line names the object and the fields. `drover why KIND/NAME` shows runs, causes and writes."],
      fixes: [
        "Write only what changed: compare with `object` first.",
        "Do not write times that change by themselves; a condition keeps `lastTransitionTime` while its status stays.",
        "Write values as the server returns them.",
      ],
    },
    {
      code: "DRV0403",
      title: "An immutable field cannot be changed",
      means:
        "The desired object differs from the existing one in a field that Kubernetes never changes. A retry fails in the same way, so the key waits for a change.",
      causes: [
        "The selector of a Deployment, the template of a Job, `clusterIP` of a Service, `storageClassName` of a claim.",
        "A new release computes labels of a selector differently.",
      ],
      find: ["The message names the fields. `kubectl get KIND NAME -o yaml` shows the stored values."],
      fixes: [
        '`owns: { job: one(Job, { onImmutable: "recreate" }) }` deletes and creates it; do not use it for objects with data.',
        '`"leave"` keeps the existing object.',
        "Give the new object another name: it is created, and the old one is pruned.",
      ],
    },
    {
      code: "DRV0404",
      title: "An object of that name belongs to another owner",
      means: "The object that is desired exists and was not made for this owner. Drover does not touch it.",
      causes: [
        "Two custom resources compute the same name for an owned object.",
        "The object was created by hand, by Helm, or by an earlier operator.",
        "The owner was deleted and created again while garbage collection was off.",
      ],
      find: ["The message names object and owner. `kubectl get KIND NAME -o jsonpath='{.metadata.ownerReferences}'`"],
      fixes: [
        "A name that contains that of the owner.",
        'An object without owner: `set: { adopt: "unowned" }` in the declaration.',
        "Else delete the object or release it from its owner.",
      ],
    },
    {
      code: "DRV0405",
      title: "Conflicts with another writer do not end",
      means:
        "Writes fail with 409 several times in a row. One conflict is normal, since caches lag behind; many mean that two writers fight, or that an apply sets a field of another owner.",
      causes: [
        "Another controller changes the object all the time.",
        "Two copies of this operator run without leader election.",
        "An apply without `force` sets a field that another manager owns.",
      ],
      find: [
        "`kubectl get KIND NAME -o yaml --show-managed-fields`: who owns which field, and when it was written.",
        "`drover why KIND/NAME`",
      ],
      fixes: [
        "Leave the field to its owner.",
        "Take it over with `force`, if the other writer gives it up.",
        "Run one replica, or enable leader election.",
      ],
    },
    {
      code: "DRV0406",
      title: "It is unknown whether a write happened",
      means:
        "The request was sent, and no complete answer came. It may have happened, or happen a moment later. Drover does not repeat it by itself.",
      causes: ["The connection broke, or a timeout ran out, after the request was sent."],
      find: ["Read the object: `live.get(Kind, name)`. The cause of the error says what broke."],
      fixes: [
        "Let the reconcile fail: the next run reads the current state.",
        "Use apply, or names that you choose, instead of `generateName`: both can be repeated.",
        "For external systems use idempotency keys.",
      ],
    },
    {
      code: "DRV0407",
      title: "A reconcile exceeded its deadline",
      means:
        "The run took longer than `deadline` of its controller. Its signal was aborted, its further writes are refused, and the key is retried.",
      causes: [
        "An external system is slow.",
        "The run does too much: many objects one after the other.",
        "The deadline is too short for a loaded cluster.",
      ],
      find: ["`drover trace KIND/NAME` shows the requests of the run with their times."],
      fixes: [
        'Start the work, keep its id in the status, and return `{ after: "30s" }` instead of waiting.',
        "Pass `signal` on, so that work ends at the deadline.",
        "Raise `deadline`.",
      ],
    },
    {
      code: "DRV0408",
      title: "A reconcile stopped for good",
      means:
        "The run threw `terminal(…)`, returned `stop(…)`, or failed with something that a retry cannot cure. The key is not retried until its spec changes. The condition `Stalled` of the object is True.",
      causes: ["The spec asks for something impossible; the reason says what.", "An immutable field would have to change: see DRV0403."],
      find: ["The field `reason` of the line, the condition `Stalled`, or `drover why KIND/NAME`."],
      fixes: [
        "Correct the spec of the object.",
        "If the outside has changed instead: enqueue the object, or restart the operator.",
        "As author: throw `terminal` only for what the user of the object can fix, and say how.",
      ],
    },
    {
      code: "DRV0409",
      title: "A key is parked after too many failures",
      means: "The key failed `retry.max` times in a row and is not retried until its next event or the next resync.",
      causes: ["The error of the line, each time."],
      find: ["`drover queue` lists parked keys with their last error."],
      fixes: [
        "Cure the error; any change of the object, or `unpark`, starts it again.",
        "Leave out `retry.max`: then retries only become rarer.",
      ],
    },
    {
      code: "DRV0410",
      title: "A cached object was changed",
      means: "Objects from caches are shared by all readers and frozen. The code tried to assign to one, and JavaScript threw a TypeError.",
      causes: ["`object.spec.replicas = 3`, `labels[name] = value`, `list.sort()` or `push` on a cached list."],
      find: ["The message names the field; the stack of the cause names the line."],
      fixes: [
        "`const next = edit(object, (draft) => { draft.spec.replicas = 3; })`",
        "A copy: `{ ...object.spec, replicas: 3 }`, `list.toSorted()`.",
      ],
    },
    {
      code: "DRV0411",
      title: "A reconcile returned something that is no result",
      means: "The run counts as failed, because ignoring the value would hide a mistake.",
      causes: [
        "The function returns the object that it wrote, for example by an arrow function without braces.",
        'A number or a text instead of `{ after: "10m" }`.',
      ],
      find: ["The message shows the value."],
      fixes: ["Return nothing, `{ after }`, or one of `done`, `after(…)`, `retry(…)`, `stop(…)`."],
    },
    {
      code: "DRV0412",
      title: "A call was made after its run had ended",
      means: "The request was not sent: the next run of the key may already be in progress, and two runs must not write.",
      causes: [
        "`await` is missing before a call of `client`.",
        "A callback or timer of the run fired later.",
        "The run exceeded its deadline, and its code goes on.",
      ],
      find: ["The message names run and controller; `drover trace` shows what the run did before."],
      fixes: [
        "Await every call, or return its promise; the lint rule `no-floating-promises` finds them.",
        "Pass `signal` on to timers and callbacks.",
      ],
    },
    {
      code: "DRV0413",
      title: "A reconcile blocked the event loop",
      means:
        "While JavaScript computes nothing else happens: watches, leases, probes and other reconciles wait. Long blocks cost the lease.",
      causes: [
        "Synchronous work: parsing or rendering large documents, cryptography, compression, `execSync`, regular expressions that backtrack.",
        "Too little CPU for the container.",
      ],
      find: ["The line names key and time. `node --cpu-prof` shows where it is spent."],
      fixes: ["Split the computation, with `await` between slices.", "Run it in a thread: `app.run({ threads })`.", "Raise the CPU limit."],
    },
    {
      code: "DRV0414",
      title: "A reconcile leaves timers or other handles open",
      means: "They go on after the run and pile up with each one, until memory or sockets run out.",
      causes: ["`setInterval`, `setTimeout` or a watch without its end, a client that is created in each run."],
      find: ["The field `left` lists kinds and numbers."],
      fixes: ["Create clients once, outside of `reconcile`.", "End timers and streams with `signal`, and in `finally`."],
    },
    {
      code: "DRV0415",
      title: "Controllers cause each other's runs without end",
      means: "The writes of one reconcile cause a run of another, whose writes cause the first again. Nothing converges.",
      causes: [
        "Two controllers, or two operators, set the same field to different values.",
        "A controller copies a value that the other derives from it.",
      ],
      find: ["The line prints the circle with fields. `drover why KIND/NAME` shows both sides."],
      fixes: ["Decide which one owns the field, and leave it out of the other."],
    },
    {
      code: "DRV0416",
      title: "desired returns no value for a slot",
      means: "Drover does not guess whether a missing slot means that its object must be deleted or kept.",
      causes: ["A branch of `desired` returns early.", "A slot was added to `owns` only."],
      find: ["The message names the slots."],
      fixes: ["`slot: undefined` if the object must not exist; it is deleted.", '`slot: hold("why")` if it is to stay as it is for now.'],
    },
    {
      code: "DRV0417",
      title: "Two desired objects have the same name",
      means: "They would overwrite each other in every run.",
      causes: ["Two slots of one kind use the name of the owner.", "A list contains two entries with one name."],
      find: ["The message names slots and object."],
      fixes: ["Different names: `` `${object.metadata.name}-${suffix}` ``; `safeConcatName` keeps them short enough."],
    },
    {
      code: "DRV0419",
      title: "desired returns a slot that is not in owns",
      means: "Drover neither watches nor prunes what is not declared.",
      causes: ["A misspelt slot, or one that was removed from `owns`."],
      find: ["The message names the slots."],
      fixes: ["Add it to `owns` with its kind, or remove it from the result."],
    },
    {
      code: "DRV0420",
      title: "status returns fields that the schema does not have",
      means: "The server would drop them without an error, and users would never see them.",
      causes: ["The schema of `status` in `defineResource` lacks the field, or the field is misspelt."],
      find: ["The message names the fields."],
      fixes: [
        "Add them: `defineResource({ …, status: z.object({ url: z.string() }) })`. `conditions` and `observedGeneration` are always there.",
      ],
    },
    {
      code: "DRV0421",
      title: "A desired object is in another namespace than its owner",
      means: "Owner references do not cross namespaces: the garbage collector would delete the object at once, or never.",
      causes: ["`metadata.namespace` of a desired object is set to another namespace."],
      find: ["The message names both namespaces."],
      fixes: [
        "Leave out `metadata.namespace`.",
        'Objects elsewhere: `apply(set, owner, objects, context)` in `reconcile` with `reference: "label"`, and again without objects in `cleanup`.',
      ],
    },
    {
      code: "DRV0422",
      title: "The operator may not do what a reconcile does",
      means: "The server answered 403 at run time. The check at the start covers what is declared, not what `reconcile` calls by itself.",
      causes: [
        "A call of `client` or `live` in `reconcile` or `cleanup` that `needs` does not list.",
        "A role was removed while the operator runs.",
        "Creating roles: RBAC forbids granting more than one has.",
      ],
      find: ["The message names user, verb, resource and namespace. `kubectl auth can-i VERB RESOURCE --as USER`"],
      fixes: ["Declare it: `needs: [{ group, resource, verbs }]`, then apply `app.roles()`."],
    },
    {
      code: "DRV0423",
      title: "A ResourceQuota forbids the object",
      means: "The namespace has used up what its quota allows. Retries succeed when others free resources.",
      causes: [
        "The quota is too small, or finished Jobs and old ReplicaSets use it.",
        "The quota limits CPU or memory, and the pod has no requests.",
      ],
      find: ["`kubectl describe quota -n NAMESPACE`"],
      fixes: ["Raise the quota, delete what is not needed, or set smaller requests."],
    },
    {
      code: "DRV0426",
      title: "A call of a reconcile failed, and no code awaited it",
      means: "The promise of a request was dropped. When it failed, Node ended the process, as for every unhandled rejection.",
      causes: ["`await` is missing before a call of `client`.", "`forEach(async …)`: nothing waits for the callbacks."],
      find: ["The line names controller, key and the request."],
      fixes: ["Write `await`, or `await Promise.all(items.map(async …))`.", "Enable the lint rule `no-floating-promises`."],
    },
    {
      code: "DRV0427",
      title: "A promise was rejected, and no code awaited it",
      means: "A promise of your program, outside of reconciles, failed without a handler. Node ends the process.",
      causes: ["A missing `await`, or an event handler that is async."],
      find: ["The stack of the line."],
      fixes: ["Await it, or handle its error with `.catch(…)`."],
    },
    {
      code: "DRV0428",
      title: "The kind is not installed",
      means: "The server does not know the resource of a request.",
      causes: [
        "The CustomResourceDefinition is missing or was deleted.",
        "The version of the kind is no longer served.",
        "The resource belongs to an API that this version of Kubernetes has removed.",
      ],
      find: ["`kubectl api-resources --api-group GROUP`, `kubectl get crd NAME`"],
      fixes: [
        "Install the definition, or use a version that is served.",
        "For a kind that may be missing: `optional: [Kind]`, and `isServed(Kind)`.",
      ],
    },
  ],
};
