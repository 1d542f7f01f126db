package lint

import (
	"regexp"
	"slices"
	"strings"

	"runbook/internal/steps"
)

var downloads = []string{"curl", "wget", "fetch", "http", "https", "aria2c"}

var interpreters = regexp.MustCompile(`^(ba|z|da|k|a|fi)?sh$|^(python|perl|ruby|node|php)[0-9.]*$|^(source|\.|eval)$`)

func checkPipe(p *pass) {
	p.calls(func(c *call) {
		if !slices.Contains(downloads, c.name) {
			return
		}
		for _, sink := range c.feeds() {
			if interpreters.MatchString(sink.name) {
				p.report(c.script.at(c.node.Pos()), sprintf("%s is run by %s without anybody's having seen it", p.quote(c.source()), sink.name),
					"download a fixed version, compare its checksum, then run it")
				return
			}
		}
	})
}

var (
	gitSource = regexp.MustCompile(`\bgit::\S+`)
	remoteGit = regexp.MustCompile(`^(?:https://|git@|ssh://)?(?:github\.com|gitlab\.com|bitbucket\.org)[/:]\S+`)
	movingURL = regexp.MustCompile(`raw\.githubusercontent\.com/[^/\s]+/[^/\s]+/(?:refs/heads/)?(main|master|HEAD|develop|trunk)/|/(?:raw|blob|-/raw)/(main|master|HEAD|develop)/|/releases/latest/`)
	movingRef = regexp.MustCompile(`[?&](?:ref|version)=(main|master|HEAD|develop|latest)\b`)
	fixedRef  = regexp.MustCompile(`[?&](?:ref|version|tag|commit)=\S`)
)

func checkSources(p *pass) {
	said := map[steps.Pos]bool{}
	say := func(at steps.Pos, text string) {
		if why := unpinned(text); why != "" && !said[at] {
			said[at] = true
			p.report(at, why, "name a tag or a commit: ?ref=v1.2.3")
		}
	}
	p.calls(func(c *call) {
		kustomized := c.has("-k", "--kustomize") || c.name == "kustomize"
		for i, a := range c.rest {
			if kustomized && remoteGit.MatchString(a) && !fixedRef.MatchString(a) {
				a = "git::" + a
			}
			say(c.script.at(c.words[i].Pos()), a)
		}
	})
	p.manifests(func(_ []string, _, value string, at steps.Pos) { say(at, value) })
}

// unpinned says why a source moves, or "".
func unpinned(text string) string {
	switch {
	case movingRef.MatchString(text):
		return sprintf("%s is a branch: it is something else tomorrow", quote(movingRef.FindStringSubmatch(text)[1]))
	case gitSource.MatchString(text) && !fixedRef.MatchString(text):
		return sprintf("%s names no version: it is something else tomorrow", quote(strings.TrimPrefix(gitSource.FindString(text), "git::")))
	case strings.Contains(text, "/releases/latest/"):
		return "the latest release is another one tomorrow"
	case movingURL.MatchString(text):
		return "this is a file of a branch: it is something else tomorrow"
	}
	return ""
}

func checkImages(p *pass) {
	p.calls(func(c *call) {
		for i, image := range imagesOf(c) {
			if image != "" {
				p.image(image, c.script.at(c.words[i].Pos()))
			}
		}
	})
	p.manifests(func(_ []string, key, value string, at steps.Pos) {
		if key == "image" || key == "imageName" {
			p.image(value, at)
		}
	})
}

// image reports one that moves. Parameters are put in as far as they are known.
func (p *pass) image(image string, at steps.Pos) {
	image = reference.ReplaceAllStringFunc(image, func(ref string) string {
		if v, ok := p.plan.Values[strings.Trim(ref, "${}")]; ok && !v.Secret {
			return v.Text
		}
		return ref
	})
	if strings.ContainsAny(image, "${<") || strings.Contains(image, "@") || image == "" || strings.Contains(image, "__") {
		return
	}
	name := image[strings.LastIndexByte(image, '/')+1:]
	_, tag, tagged := strings.Cut(name, ":")
	switch {
	case !tagged:
		p.report(at, sprintf("the image %s has no version", p.quote(image)), "name one, or a digest: "+image+":1.2.3")
	case slices.Contains([]string{"latest", "main", "master", "edge", "nightly", "stable", "dev"}, tag):
		p.report(at, sprintf("the image %s moves: the tag %s is another version tomorrow", p.quote(image), tag), "name a version or a digest")
	}
}

var reference = regexp.MustCompile(`\$(\w+|\{\w+\})`)

// containerValues are the flags of docker run that take a value as their next word.
var containerValues = strings.Fields(`-e --env --env-file -v --volume --mount -p --publish --name -w --workdir -u --user -h --hostname --network --net
	--entrypoint -l --label -m --memory --cpus --restart --platform --ip --add-host --cap-add --cap-drop --device --dns --gpus --log-driver
	--log-opt --pull --runtime --security-opt --shm-size --tmpfs --ulimit --volumes-from -a --attach --cidfile --pid --ipc`)

// imagesOf returns, for each argument, the image that it names, or "".
func imagesOf(c *call) map[int]string {
	images := map[int]string{}
	switch {
	case slices.Contains([]string{"docker", "podman", "nerdctl"}, c.name):
		verb := slices.IndexFunc(c.rest, func(a string) bool { return a == "run" || a == "create" || a == "pull" })
		if verb < 0 || len(c.plain()) == 0 || c.plain()[0] != c.rest[verb] && c.plain()[0] != "container" && c.plain()[0] != "image" {
			return nil
		}
		for i := verb + 1; i < len(c.rest); i++ {
			switch a := c.rest[i]; {
			case slices.Contains(containerValues, a):
				i++
			case !strings.HasPrefix(a, "-"):
				images[i] = a
				return images
			}
		}
	case c.isKubectl():
		for i, a := range c.rest {
			if a == "--" {
				break
			}
			if v, ok := strings.CutPrefix(a, "--image="); ok {
				images[i] = v
			} else if a == "--image" && i+1 < len(c.rest) {
				images[i+1] = c.rest[i+1]
			}
		}
		setImages(c, images)
	}
	return images
}

// setImages adds those of `kubectl set image deploy/web web=nginx:1.2`.
func setImages(c *call, images map[int]string) {
	at := slices.Index(c.rest, "set")
	if at < 0 || !slices.Contains(c.rest[at:], "image") {
		return
	}
	for i := at + 2; i < len(c.rest); i++ {
		if name, image, ok := strings.Cut(c.rest[i], "="); ok && !strings.HasPrefix(name, "-") {
			images[i] = image
		}
	}
}
