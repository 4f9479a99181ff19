export async function run(argv: string[]) {
  console.log(argv);
}
