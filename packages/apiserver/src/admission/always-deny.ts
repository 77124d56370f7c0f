/** AlwaysDeny: refuses every write. Off by default. */
import type { AdmissionPlugin } from "./admission.ts";
import { refusal } from "./refusal.ts";

export const alwaysDeny: AdmissionPlugin = {
  name: "AlwaysDeny",
  mutate: (request) => {
    throw refusal(request, "admission control is denying all modifications");
  },
};
