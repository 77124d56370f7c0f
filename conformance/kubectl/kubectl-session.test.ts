import { describeSession } from "./describe-session.ts";
import { sessionLines } from "./kubectl-session.ts";

describeSession({ name: "kubectl-session", lines: sessionLines }, { long: process.env["DROVER_LONG"] === "1" });
