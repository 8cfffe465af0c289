//! Runs a one-node cluster on the loopback interface: `beeline lab run --slurm` with the real `sbatch`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The Debian packages that the check needs.
pub(crate) const PACKAGES: &str = "slurmctld slurmd slurm-client";
const PROGRAMS: [&str; 4] = ["slurmctld", "slurmd", "sbatch", "squeue"];

/// A spec with twelve short runs, in three bundles.
const SPEC: &str = "name = 'small'\nrepeats = 3\n[limits]\ntime = '4s'\nmemory = '64M'\n\
    [[suite]]\nname = 's'\nkind = 'gate'\nexamples = ['gate-first', 'gate-corner']\n\
    [[strategy]]\nname = 'two'\nwith = 'classic-2'\n[[strategy]]\nname = 'three'\nwith = 'classic-3'\n";
const RUNS: usize = 12;

/// The names of the missing programs.
pub(crate) fn missing() -> Vec<&'static str> {
    // Printing a version may need a configuration, which is not written yet. It is enough that the programs start.
    let starts = |program: &str| {
        let mut command = Command::new(program);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    PROGRAMS.into_iter().filter(|program| !starts(program)).collect()
}

/// Submits the array, waits for it, and reads the records of all parts. Returns what was seen.
pub(crate) fn prove(beeline: &Path) -> Result<String, String> {
    let cluster = Cluster::start().map_err(|error| format!("cannot start Slurm: {error}"))?;
    let spec = cluster.folder.join("small.toml");
    fs::write(&spec, SPEC).map_err(|error| error.to_string())?;
    let lab = |args: &[&str]| cluster.run(Command::new(beeline).arg("lab").args(args));
    let said = lab(&["run", "small.toml", "--slurm", "--bundle", "40s"])?;
    if !said.contains("12 runs in 3 jobs") {
        return Err(format!("not bundled as it should be: {said}"));
    }
    cluster.run(Command::new("sbatch").arg("results/small.sbatch"))?;
    let deadline = Instant::now() + Duration::from_secs(180);
    while !cluster.run(Command::new("squeue").arg("--noheader"))?.trim().is_empty() {
        if Instant::now() > deadline {
            return Err("the jobs did not end within three minutes".into());
        }
        sleep(Duration::from_millis(500));
    }
    let table = lab(&["table", "results/small.jsonl", "--format", "csv"])?;
    let rows = table.lines().count() - 1;
    let rest = lab(&["run", "small.toml"])?;
    if !rest.contains(&format!("0 runs made, {RUNS} were there")) {
        return Err(format!("runs are missing after the jobs: {rest}"));
    }
    Ok(format!("{RUNS} runs in 3 jobs of one array, all recorded, {rows} rows of medians"))
}

/// The daemons. Dropping this ends them.
struct Cluster {
    folder: PathBuf,
    daemons: Vec<Child>,
}

impl Cluster {
    fn start() -> io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("beeline-slurm-{}", std::process::id()));
        for part in ["state", "spool"] {
            fs::create_dir_all(folder.join(part))?;
        }
        let host = fs::read_to_string("/proc/sys/kernel/hostname")?;
        let host = host.trim().split('.').next().unwrap_or("localhost").to_owned();
        fs::write(folder.join("slurm.conf"), configuration(&folder, &host))?;
        let mut cluster = Self { folder, daemons: Vec::new() };
        for daemon in ["slurmctld", "slurmd"] {
            let child = cluster.at_home(Command::new(daemon).arg("-D")).stderr(Stdio::null()).spawn()?;
            cluster.daemons.push(child);
        }
        let deadline = Instant::now() + Duration::from_secs(30);
        while !cluster
            .run(Command::new("sinfo").args(["--noheader", "--format=%t"]))
            .is_ok_and(|s| s.trim() == "idle")
        {
            if Instant::now() > deadline {
                return Err(io::Error::other("its node does not become idle within 30 seconds"));
            }
            sleep(Duration::from_millis(200));
        }
        Ok(cluster)
    }

    fn at_home<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .current_dir(&self.folder)
            .env("SLURM_CONF", self.folder.join("slurm.conf"))
            .stdin(Stdio::null())
    }

    /// Runs a command and returns its output; an error if it fails.
    fn run(&self, command: &mut Command) -> Result<String, String> {
        let output = self.at_home(command).output().map_err(|error| format!("{command:?}: {error}"))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for daemon in &mut self.daemons {
            // The daemon may have exited already.
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
        // Files that remain in the temporary folder do no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// One node and one partition without access control. The daemons listen on the loopback interface only.
fn configuration(folder: &Path, host: &str) -> String {
    let folder = folder.display();
    format!(
        "ClusterName=loopback\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nAuthType=auth/none\nCredType=cred/none\n\
         StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\nSlurmctldPidFile={folder}/slurmctld.pid\n\
         SlurmdPidFile={folder}/slurmd.pid\nSlurmctldLogFile={folder}/slurmctld.log\nSlurmdLogFile={folder}/slurmd.log\n\
         SlurmctldPort=16817\nSlurmdPort=16818\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nJobAcctGatherType=jobacct_gather/none\n\
         MpiDefault=none\nReturnToService=2\nMinJobAge=2\n\
         NodeName={host} NodeAddr=127.0.0.1 CPUs=1 RealMemory=1000 State=UNKNOWN\n\
         PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
    )
}
