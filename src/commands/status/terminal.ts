/** The terminal as a screen that is drawn over, and given back as it was. */
import process from 'node:process';

export interface Screen {
  /** False where lines can only follow each other: in a pipe, a file, a dumb terminal. */
  readonly isLive: boolean;
  readonly hasColours: boolean;
  size(): { readonly columns: number; readonly rows: number };
  /** Takes the screen. `quit`: q or Ctrl-C was typed. `resized`: it has another size. */
  enter(on: { quit(): void; resized(): void }): void;
  /** At most as many lines as there are rows, none wider than the screen. */
  draw(lines: readonly string[]): void;
  /** Gives it back. Never throws, and may be called again. */
  leave(): void;
}

/** The other buffer, without a cursor; and back. */
const [ENTER, LEAVE] = ['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l'];
/** From the first place on; the rest of a line; the rest of the screen. */
const [HOME, LINE_END, SCREEN_END] = ['\u001b[H', '\u001b[K', '\u001b[J'];

/** q, and what Ctrl-C and Ctrl-D are while keys are read raw. */
const QUIT = new Set(['q', 'Q', '\u0003', '\u0004']);

type Process = Pick<NodeJS.Process, 'env' | 'once' | 'off'> & {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
};

export function terminal(host: Process = process): Screen {
  const { env, stdin, stdout } = host;
  const isLive = stdout.isTTY === true && env['TERM'] !== 'dumb';
  let undo: (() => void) | null = null;

  const leave = () => {
    const restore = undo;
    undo = null;
    try {
      restore?.();
    } catch {
      // The terminal has gone: nobody looks at it any more.
    }
  };

  return {
    isLive,
    hasColours: isLive && (env['NO_COLOR'] ?? '') === '',
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    enter({ quit, resized }) {
      const typed = (keys: Buffer) => {
        if ([...keys.toString()].some((key) => QUIT.has(key))) quit();
      };
      // Typing would show among the lines.
      const isRaw = stdin.isTTY === true && typeof stdin.setRawMode === 'function';
      // In the background of a shell this is where it is stopped: before the screen is taken.
      if (isRaw) stdin.setRawMode(true).on('data', typed).resume();
      stdout.write(ENTER);
      stdout.on('resize', resized);
      host.once('exit', leave);
      undo = () => {
        host.off('exit', leave);
        stdout.off('resize', resized);
        stdout.write(LEAVE);
        if (isRaw) stdin.off('data', typed).pause().setRawMode(false);
      };
    },
    draw(lines) {
      stdout.write(`${HOME}${lines.map((line) => line + LINE_END).join('\r\n')}${SCREEN_END}`);
    },
    leave,
  };
}
