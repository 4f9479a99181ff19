/** Whether a command that runs in the background ends when work does, so that the host then calls back. */
import { invocationsIn } from './commands.ts';
import { readArguments } from './mu/arguments.ts';

/** `mu task wait` and `nudgechart wait`, wherever they stand in the command. Never throws, quick for any input. */
export function isWait(command: string): boolean {
  if (!/\b(?:mu|nudgechart)\b/.test(command)) return false;
  return invocationsIn(command).some(({ words: [program, ...rest] }) => {
    if (program === 'mu') {
      const { operands, help } = readArguments(rest);
      return operands[0] === 'task' && operands[1] === 'wait' && !help;
    }
    const asked = rest.includes('--help') || rest.includes('-h');
    return (program === 'nudgechart' || program === 'nudgechart.cjs') && rest[0] === 'wait' && !asked;
  });
}
