import { accessLines } from "./access-session.ts";
import { describeSession } from "./describe-session.ts";

describeSession({ name: "access-session", lines: accessLines }, { long: process.env["DROVER_LONG"] === "1" });
