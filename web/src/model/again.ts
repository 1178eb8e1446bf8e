// Something that is done when it is wanted, one at a time and not too often: of
// what is wanted meanwhile, once more is enough.

export class Again {
  private isBusy = false;
  private isWanted = false;
  private isOver = false;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly act: () => Promise<void>, private readonly gapMs: number) {}

  want(): void {
    if (this.isOver) return;
    if (this.isBusy) this.isWanted = true;
    else void this.run();
  }

  private async run(): Promise<void> {
    this.isBusy = true;
    this.isWanted = false;
    await this.act();
    this.timer = setTimeout(() => {
      this.isBusy = false;
      if (this.isWanted) this.want();
    }, this.gapMs);
  }

  end(): void {
    this.isOver = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }
}
