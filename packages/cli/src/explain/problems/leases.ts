import type { ProblemArea } from "../problem.ts";

export const leases: ProblemArea = {
  title: "Leases, replicas and shutdown",
  problems: [
    {
      code: "DRV0360",
      title: "The lease was lost, the process ends",
      means:
        "Another replica may lead now. Everything that needs the lease was aborted, and writes are blocked. The process ends, so that its Deployment starts it anew with empty state.",
      causes: [
        "The API server could not be reached for longer than the renew deadline.",
        "The event loop was blocked, or the container was paused or throttled: a CPU limit that is too low.",
        "The Lease was deleted or edited by hand.",
      ],
      find: [
        "Look for `reconcile blocked the event loop` and `list or watch failed` before it in the log.",
        "`kubectl get lease NAME -o yaml` shows holder and number of transitions.",
        "CPU throttling: the metric `container_cpu_cfs_throttled_periods_total` of the container.",
      ],
      fixes: [
        "Raise or remove the CPU limit; split long computations.",
        "For slow networks raise `leaseDurationMs` and `renewDeadlineMs` of `leaderElection` together.",
      ],
    },
    {
      code: "DRV0361",
      title: "The lease was missing, deleted or edited",
      means:
        "It is not certain that no other replica still leads, so this one renews the lease for its full duration before it leads. This delays the first start by seconds.",
      causes: [
        "The first start in this namespace; then it is normal.",
        "The Lease was deleted or edited by hand, or restored from a backup.",
      ],
      find: ["`kubectl get lease NAME -o yaml`, and its managedFields."],
      fixes: ["Nothing. To hand over leadership delete the pod, not the Lease."],
    },
    {
      code: "DRV0362",
      title: "A request was not sent, because the lease is not held",
      means:
        "The fence did its work: a reconcile of a replica that is no longer the leader tried to write, and the write might have overwritten that of the new leader.",
      causes: ["The lease was lost while the reconcile ran.", "A program writes with the client of a run that is not the leader's."],
      find: ["The message says since when the lease is not held, and why."],
      fixes: ["Nothing, after a lost lease. Reconciles need not handle it; pass their `signal` on, so that they end earlier."],
    },
    {
      code: "DRV0363",
      title: "The leader's work did not end in time",
      means:
        "Code went on after it was aborted. Its writes are blocked by the fence, but the lease is left to expire instead of being released, so that another replica takes over later.",
      causes: ["A reconcile ignores its `signal`: it waits for an external call, a timer or a loop."],
      find: ["The runs that have not ended are the last ones in `drover trace`, or in the snapshot that `kill -USR1 PID` writes."],
      fixes: ["Pass `signal` on to everything that waits: `fetch(url, { signal })`, and check `signal.throwIfAborted()` in loops."],
    },
    {
      code: "DRV0364",
      title: "Replicas with another number or kind of shards are running",
      means: "Two layouts would reconcile the same object twice. This replica waits until the others have ended, and holds no shard.",
      causes: [
        "A rolling update that changes `shards.count` or `shards.by`.",
        "Another Deployment uses the same operator name in this namespace.",
      ],
      find: ["The field `lease` names a lease of the others; `kubectl get lease` shows their holders."],
      fixes: [
        "Wait for the rollout to end.",
        "Change the layout with `strategy: Recreate`, or scale to zero first.",
        "Give the other operator another name.",
      ],
    },
    {
      code: "DRV0365",
      title: "The program did not end within its grace period",
      means:
        "The program received a signal to stop, and parts of it still run after the grace period. It ends anyway, before the kubelet kills it.",
      causes: ["A reconcile, handler or runnable ignores its `signal`."],
      find: ["The message names what still runs."],
      fixes: [
        "Pass `signal` on to everything that waits.",
        "If work must be completed, raise `graceMs` and `terminationGracePeriodSeconds` of the pod together.",
      ],
    },
    {
      code: "DRV0366",
      title: "Coordinated leader election does not work",
      means:
        "The server is asked to choose the leader, and the LeaseCandidate of this replica cannot be written. This replica will not lead.",
      causes: [
        "The server does not serve `coordination.k8s.io/v1beta1` LeaseCandidate: the feature gate is off, or it is too old.",
        "The permission to write `leasecandidates` is missing.",
      ],
      find: ["The field `problem`. `kubectl api-resources --api-group coordination.k8s.io`"],
      fixes: ["Use ordinary leader election, which needs only Leases.", "Or enable the feature, and grant what `app.roles()` prints."],
    },
  ],
};
