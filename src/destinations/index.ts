/** Whose the far end of a transfer is. Facts only; what may go there is for the rules (D-18). */
export { type Classified, classify } from "./classify.ts";
export { hostOf, pathOf, plainHost, under } from "./host.ts";
export { NO_HOSTS, type OwnHosts, ownHosts, repositoryHost } from "./own.ts";
export { isSignInPoint, isVendor, takesSecretInUrl } from "./sign-in.ts";
export type { ThirdPartyClass } from "./third-party.ts";
