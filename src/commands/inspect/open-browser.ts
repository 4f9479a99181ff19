/** Asks the system to show an address. */
import { spawn } from 'node:child_process';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** It is not waited for. @param out told when the system has no such program */
export function openBrowser(url: string, out: (text: string) => void): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, windowsHide: true });
  child.on('error', () => out(`no browser could be opened: ${command} is missing; open the address yourself`));
  child.unref();
}
