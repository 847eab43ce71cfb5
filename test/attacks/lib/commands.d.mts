export interface CommandCase {
  readonly id: string;
  readonly cls: string;
  readonly why: string;
  readonly slowCase?: boolean;
}

export interface CommandResult {
  readonly ok: boolean;
  readonly got: string;
  readonly ms: number;
  readonly detail: string;
  readonly critical?: boolean;
}

export function runCommand(row: CommandCase, command: string, scale?: number): CommandResult;
