package steps

import "strings"

// A dialect says how much the label of a fence tells about its content.
type dialect int

const (
	otherDialect   dialect = iota // not a shell
	shellDialect                  // commands, unless they look otherwise
	sessionDialect                // commands with prompts and output; without prompts only what looks like a command
	bareDialect                   // no label, or "text": only what looks like a command
	outputDialect                 // output, says the label
)

// label returns the language of an info string in lower case and its other
// words: `{.bash}`, `bash{name=z}`, `{code-block} bash` and `sh {"id": 1}` are
// all known forms.
func label(info string) (lang, rest string) {
	if name := directiveName(info); name != "" {
		_, rest, _ = strings.Cut(info, "}")
		if lang, rest = cutWord(strings.TrimSpace(rest)); lang == "" {
			lang = name
		}
		return strings.ToLower(lang), rest
	}
	info = strings.TrimLeft(info, "{.")
	n := strings.IndexAny(info, " \t{},:;(")
	if n < 0 {
		n = len(info)
	}
	return strings.ToLower(strings.TrimRight(info[:n], "}")), info[n:]
}

func dialectOf(lang string) dialect {
	switch lang {
	case "bash", "sh", "shell", "zsh", "ksh", "dash", "ash", "shellscript", "shell-script", "azurecli",
		"azurecli-interactive", "bash-interactive":
		return shellDialect
	case "console", "terminal", "shell-session", "shellsession", "sh-session", "bash-session", "prompt":
		return sessionDialect
	case "", "text", "txt", "plaintext", "plain", "none", "code", "code-block":
		return bareDialect
	case "output", "stdout", "stderr", "result", "log", "logs":
		return outputDialect
	}
	return otherDialect
}

// isAction tells whether a fence is carried out in-process.
func isAction(lang, rest string) bool {
	return (lang == "yaml" || lang == "yml") && labelled(rest, "action")
}

// NoRun is the word of an info string that keeps a fence from being run, so that
// it is shown and nothing else: "sh no-run".
const NoRun = "no-run"

// AsIs is the word of an info string that keeps what looks like a prompt in the
// code: "sh as-is".
const AsIs = "as-is"

// labelled tells whether a word is among those behind the language.
func labelled(rest, word string) bool {
	for w := range strings.FieldsSeq(strings.Trim(rest, "{} ")) {
		if w == word {
			return true
		}
	}
	return false
}

// Runnable tells whether a fence with this language may hold commands.
func Runnable(lang string) bool {
	switch dialectOf(strings.ToLower(lang)) {
	case shellDialect, sessionDialect, bareDialect:
		return true
	}
	return false
}

// Commands tells whether this language says that a fence holds commands.
func Commands(lang string) bool {
	d := dialectOf(strings.ToLower(lang))
	return d == shellDialect || d == sessionDialect
}

// Foreign tells whether a fence with this language holds commands that aren't
// run here: of another kind of shell, or of a language that scripts are written
// in.
func Foreign(lang string) bool { return foreign[strings.ToLower(lang)] }

var foreign = wordSet(`
powershell pwsh posh ps1 cmd bat batch dos dosbatch fish nu nushell csh tcsh elvish xonsh rc expect
python py python3 ruby rb perl pl lua javascript js node typescript ts groovy awk sql psql mysql redis mongodb cypher
cql vql hql`)

// wellKnown are programs that a fence without a label may start with. The list
// is only evidence for a command, never against one.
var wellKnown = wordSet(`
kubectl oc k helm helmfile kustomize task make vault bao argocd flux kind minikube k3s k3d k3sup talosctl kubeadm cilium
hubble istioctl linkerd velero kubeseal sops age age-keygen stern k9s krew kubectx kubens crictl ctr nerdctl docker
docker-compose podman buildah skopeo cosign crane oras kcl dagger terraform tofu terragrunt packer ansible
ansible-playbook ansible-galaxy pulumi aws az gcloud gsutil bq doctl hcloud scw linode-cli eksctl aks gh glab git
curl wget http dig nslookup host ping traceroute nc ncat telnet openssl ssh scp sftp rsync ssh-keygen ssh-copy-id
ssh-add sudo su cd ls cat cp mv rm mkdir rmdir ln touch chmod chown chgrp tar gzip gunzip unzip zip echo printf
export source set unset env alias eval exec test read time watch timeout nohup xargs tee grep egrep fgrep rg sed awk
jq yq cut sort uniq head tail wc tr find diff base64 sha256sum md5sum uuidgen pwgen date sleep kill pkill killall ps
top htop free df du lsblk blkid mount umount mkfs fdisk parted dd sgdisk wipefs blkdiscard systemctl service
journalctl dmesg sysctl modprobe apt apt-get dpkg yum dnf rpm zypper brew snap apk pacman pip pip3 pipx python
python3 node npm npx yarn pnpm go cargo ruby gem bundle rake java mvn gradle psql pg_dump pg_restore pgbench mysql
mysqldump mongo mongosh redis-cli etcdctl etcdutl ceph rados rbd radosgw-admin rook crontab useradd usermod groupadd
passwd id whoami hostname hostnamectl uname ip ifconfig iptables nft firewall-cmd ufw nmcli netstat ss lsof tcpdump
pushd popd which type man less more vi vim nano code open pbcopy screen tmux trap ulimit umask vagrant virsh
qemu-img multipass consul nomad boundary step mkcert certbot cmctl kubectl-cnpg pgbackrest barman restic mc s3cmd
minio rclone runme ie mask showboat cqlsh sqlcmd bosh cf fly heroku glsh knife chef tfenv asdf mise direnv
tkn kn knative kubeconform kubeval conftest trivy grype syft stern jsonnet tk cue ytt kapp kbld vcluster clusterctl
kyverno pluto popeye kube-bench sonobuoy calicoctl longhornctl ctlptl tilt skaffold okteto telepresence devspace
govc mcli nats kcat kafka-topics.sh rabbitmqctl influx promtool amtool logcli mimirtool cortextool thanos
gpg gpg2 keybase pass op bw doppler infisical`)

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		set[w] = true
	}
	return set
}
