/** Why a program cannot be made: the text behind `program instantiation failed: `. */
export class PlanError extends Error {}
