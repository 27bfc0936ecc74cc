// Cards of the first view: where the cycles went, and what WriteUndef would save.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link } from '../../app/route';
import type { Profile } from '../../data/profile';
import { drawShares, shareAt } from '../../draw/shares';
import { bytes, counted, integer, percent } from '../../derived/format';
import { placeBefore } from '../../derived/names';
import { collectSaving } from '../../derived/saving';
import { collectLoss, type LossPart } from '../../derived/loss';
import { whyNoRun } from '../../derived/recorded';
import { currentTheme } from '../../theme';
import { Card, ProgramLink, stepCells, Swatch } from '../common';
import { LengthTable } from '../LengthTable';
import { Picture } from '../Picture';
import { shareColumn, Table } from '../Table';
import { VariableLink } from '../Variables';

export function LossCard({ profile }: { readonly profile: Profile }): JSX.Element {
  const loss = useMemo(() => collectLoss(profile), [profile]);
  const theme = currentTheme();
  if (!loss || !(loss.whole > 0))
    return profile.runs.length > 0 ? (
      <Card title="Length of the runs by kind of step" aside={<a href={link('execution')}>Execution</a>}>
        <LengthTable profile={profile} />
      </Card>
    ) : (
      <Card title="Where the cycles went">
        <p class="empty">{whyNoRun(profile)}</p>
      </Card>
    );
  const parts = loss.parts.filter((part) => part.tileCycles > 0);
  return (
    <Card title="Where the cycles went" aside={<a href={link('execution')}>Execution</a>}>
      <Picture
        title="Where the cycles went"
        height={34}
        legend={parts.map((p) => [`${p.label}: ${percent(p.tileCycles, loss.whole)}`, theme.loss[p.key]] as const)}
        draw={(surface, w, _h, t) =>
          drawShares(
            surface,
            parts.map((p) => ({ value: p.tileCycles, fill: t.loss[p.key] })),
            loss.whole,
            w,
          )
        }
        tip={(p, w) => {
          const part = shareAt(
            parts.map((one) => one.tileCycles),
            loss.whole,
            p.x,
            w,
          );
          const hit = parts[part];
          return hit ? (
            <>
              {hit.label}: {percent(hit.tileCycles, loss.whole)}
            </>
          ) : null;
        }}
      />
      <Table
        label="Where the cycles went"
        rows={parts}
        columns={[
          {
            title: 'Cause',
            value: (p) => p.label,
            show: (p) => (
              <>
                <Swatch fill={theme.loss[p.key]} />{' '}
                <a href={p.key === 'exchange' || p.key === 'global' ? link('exchange', { by: 'cycles' }) : link('execution')}>{p.label}</a>
              </>
            ),
          },
          shareColumn<LossPart>(
            (p) => p.tileCycles,
            () => loss.whole,
          ),
          { title: 'Tile cycles', value: (p) => p.tileCycles },
        ]}
      />
      <p>
        Of {integer(loss.whole)} tile cycles: tiles × cycles of{' '}
        {loss.runs === 1 ? 'one recorded run' : `${integer(loss.runs)} recorded runs`}.
      </p>
    </Card>
  );
}

export function SavingCard({ profile }: { readonly profile: Profile }): JSX.Element {
  const saving = useMemo(() => collectSaving(profile), [profile]);
  if (!saving)
    return (
      <Card title="What WriteUndef would save">
        <p class="empty">Not known: the profile was written without autoReport.outputLivenessExplanation (autoReport.all includes it).</p>
      </Card>
    );
  return (
    <Card title="What WriteUndef would save" aside={<a href={link('liveness')}>Liveness</a>}>
      <p class="headline">{saving.candidates === 0 ? 'Nothing' : bytes(saving.peak - saving.after)}</p>
      <p>
        {saving.candidates === 0
          ? 'No variable is false-live where a WriteUndef is possible. '
          : `${integer(saving.tried)} of ${counted(saving.candidates, 'possible placement')} ${saving.tried === 1 ? 'was' : 'were'} tried, all together. `}
        {bytes(saving.peak)} of variables are live on tile <a href={link('tile', { tile: saving.tile })}>{saving.tile}</a>, more than on any
        other tile, at <ProgramLink profile={profile} id={saving.program} view="liveness" />. Of these, {bytes(saving.falseLive)} are
        false-live (no path reads them).
      </p>
      <Table
        label="Placements of WriteUndef"
        rows={saving.placements.map((placement) => ({ ...placement, place: placeBefore(profile, placement.before) }))}
        empty={saving.candidates === 0 ? '' : 'No placement saves memory by itself.'}
        columns={[
          {
            title: 'Variable',
            value: (r) => profile.variables[r.variable]?.name ?? '',
            show: (r) => <VariableLink name={profile.variables[r.variable]?.name ?? ''} id={r.variable} step={r.before} />,
          },
          {
            title: 'Before',
            names: true,
            step: (r) => stepCells(profile, r.place),
            value: (r) => r.place,
            show: (r) => <ProgramLink profile={profile} id={r.place} />,
          },
          { title: 'Saves there', unit: 'B', value: (r) => r.onWorstTile },
          { title: 'on all tiles', unit: 'B', value: (r) => r.onDevice },
        ]}
      />
    </Card>
  );
}
