import { runExample } from "../run-example.ts";
import { frontendRecycler } from "./classic.ts";
import { frontendOperator } from "./operator.ts";

await runExample({ classic: frontendRecycler, operator: frontendOperator });
