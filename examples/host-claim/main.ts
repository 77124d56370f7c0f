/** Runs the operator on the cluster of the current kubeconfig, until Ctrl-C; with the argument "webhooks" prints what it registers. */
import { app } from "./host-claim.ts";

if (process.argv[2] === "webhooks") console.log(app.webhooks({ namespace: "host-claims" }));
else await app.run();
