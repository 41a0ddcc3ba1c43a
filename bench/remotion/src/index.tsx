// The scenes of ../scenes as Remotion compositions: the same pictures.
import React from 'react';
import {AbsoluteFill, Composition, registerRoot, useCurrentFrame, useVideoConfig} from 'remotion';
import {ThreeCanvas} from '@remotion/three';

const useSeconds = () => useCurrentFrame() / useVideoConfig().fps;

const Quarters: React.FC = () => {
  const t = useSeconds();
  return (
    <AbsoluteFill style={{background: 'linear-gradient(135deg, #15323b, #2b6a6c)'}}>
      <h1 style={{position: 'absolute', left: 160, top: 110, margin: 0, color: '#f4efe2', font: '600 96px sans-serif', opacity: Math.min(1, 0.2 + t)}}>
        Quarter by quarter
      </h1>
      <div style={{position: 'absolute', left: 160, width: 1600, bottom: 174, height: 6, background: '#f4efe2'}} />
      <div
        style={{
          position: 'absolute', left: 0, top: 0, width: 170, height: 170, borderRadius: '50%', background: '#f4efe2',
          boxShadow: '0 24px 48px rgba(0, 0, 0, 0.5)',
          transform: `translate(${1330 + 260 * Math.cos(t)}px, ${150 + 80 * Math.sin(2 * t)}px)`,
        }}
      />
      {Array.from({length: 8}, (_, n) => (
        <i
          key={n}
          style={{
            position: 'absolute', bottom: 180, width: 120, left: 220 + 190 * n, borderRadius: '16px 16px 0 0',
            background: 'linear-gradient(#f6b73c, #d96c2b)', height: 60 + 360 * (0.5 - 0.5 * Math.cos(2 * t + 0.7 * n)),
          }}
        />
      ))}
    </AbsoluteFill>
  );
};

const Orbit: React.FC = () => {
  const t = useSeconds();
  const {width, height} = useVideoConfig();
  return (
    <ThreeCanvas width={width} height={height} shadows dpr={1} camera={{position: [0, 4, 11], fov: 40, near: 0.1, far: 100}}>
      <color attach="background" args={['#16202b']} />
      <ambientLight intensity={0.6} />
      <directionalLight position={[-4, 7, 4]} intensity={2} castShadow shadow-mapSize={[1024, 1024]} />
      <mesh castShadow receiveShadow rotation={[t, 2 * t, 0]}>
        <torusKnotGeometry args={[1.1, 0.38, 160, 24]} />
        <meshStandardMaterial color="#f6b73c" roughness={0.4} />
      </mesh>
      {Array.from({length: 6}, (_, n) => {
        const angle = 2 * t + (n * Math.PI) / 3;
        return (
          <mesh key={n} castShadow receiveShadow position={[3.4 * Math.cos(angle), 0.6 * Math.sin(2 * angle), 3.4 * Math.sin(angle)]} rotation={[angle, angle, 0]}>
            <boxGeometry args={[0.6, 0.6, 0.6]} />
            <meshStandardMaterial color="#4fb0ae" roughness={0.4} />
          </mesh>
        );
      })}
      <mesh castShadow receiveShadow rotation={[-Math.PI / 2, 0, 0]} position={[0, -2.2, 0]}>
        <planeGeometry args={[40, 40]} />
        <meshStandardMaterial color="#2b3a4a" roughness={0.4} />
      </mesh>
    </ThreeCanvas>
  );
};

registerRoot(() => (
  <>
    <Composition id="quarters-2d" component={Quarters} width={1920} height={1080} fps={60} durationInFrames={300} />
    <Composition id="orbit-3d" component={Orbit} width={1920} height={1080} fps={60} durationInFrames={60} />
  </>
));
